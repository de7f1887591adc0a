import type manifest from '../../../package.json';

/** Every command declared in `package.json`. */
export const commandIds = {
  connect: 'transcriptionJobs.connect',
  switchConnection: 'transcriptionJobs.switchConnection',
  editConnection: 'transcriptionJobs.editConnection',
  removeConnection: 'transcriptionJobs.removeConnection',
  useSample: 'transcriptionJobs.useSample',
  setApiKey: 'transcriptionJobs.setApiKey',
  forgetApiKey: 'transcriptionJobs.forgetApiKey',
  showStoredKeys: 'transcriptionJobs.showStoredKeys',
  testConnection: 'transcriptionJobs.testConnection',
  refresh: 'transcriptionJobs.refresh',
  loadMore: 'transcriptionJobs.loadMore',
  loadAll: 'transcriptionJobs.loadAll',
  sortJobs: 'transcriptionJobs.sortJobs',
  filter: 'transcriptionJobs.filter',
  /** The same as `filter`, with another icon. */
  changeFilter: 'transcriptionJobs.changeFilter',
  clearFilter: 'transcriptionJobs.clearFilter',
  saveView: 'transcriptionJobs.saveView',
  renameView: 'transcriptionJobs.renameView',
  removeView: 'transcriptionJobs.removeView',
  findJob: 'transcriptionJobs.findJob',
  countJobs: 'transcriptionJobs.countJobs',
  openJob: 'transcriptionJobs.openJob',
  openJobToSide: 'transcriptionJobs.openJobToSide',
  openJobJson: 'transcriptionJobs.openJobJson',
  copyJobId: 'transcriptionJobs.copyJobId',
  copyRequestId: 'transcriptionJobs.copyRequestId',
  copyLink: 'transcriptionJobs.copyLink',
  copyJobJson: 'transcriptionJobs.copyJobJson',
  copyCurl: 'transcriptionJobs.copyCurl',
  saveTranscript: 'transcriptionJobs.saveTranscript',
  openTranscript: 'transcriptionJobs.openTranscript',
  openAudio: 'transcriptionJobs.openAudio',
  compareJobs: 'transcriptionJobs.compareJobs',
  watchJob: 'transcriptionJobs.watchJob',
  saveWhenDone: 'transcriptionJobs.saveWhenDone',
  showWatched: 'transcriptionJobs.showWatched',
  exportJobs: 'transcriptionJobs.exportJobs',
  exportRow: 'transcriptionJobs.exportRow',
  markHandled: 'transcriptionJobs.markHandled',
  muteFailures: 'transcriptionJobs.muteFailures',
  undoHandled: 'transcriptionJobs.undoHandled',
  copyReport: 'transcriptionJobs.copyReport',
  openBoard: 'transcriptionJobs.openBoard',
  openBoardOfRow: 'transcriptionJobs.openBoardOfRow',
  whatChanged: 'transcriptionJobs.whatChanged',
  newRequest: 'transcriptionJobs.newRequest',
  newRequestFromJob: 'transcriptionJobs.newRequestFromJob',
  retryJob: 'transcriptionJobs.retryJob',
  openRequest: 'transcriptionJobs.openRequest',
  checkRequest: 'transcriptionJobs.checkRequest',
  previewRequest: 'transcriptionJobs.previewRequest',
  submitRequest: 'transcriptionJobs.submitRequest',
  submitBatch: 'transcriptionJobs.submitBatch',
  resubmitFailed: 'transcriptionJobs.resubmitFailed',
  copyRequestCurl: 'transcriptionJobs.copyRequestCurl',
  showSubmissions: 'transcriptionJobs.showSubmissions',
  showBatch: 'transcriptionJobs.showBatch',
  showLog: 'transcriptionJobs.showLog',
  openSettings: 'transcriptionJobs.openSettings',
} as const;
/** The id of one of the extension's commands. */
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Ids of the view, its container and its webview. */
export const viewIds = {
  container: 'transcriptionJobs',
  jobs: 'transcriptionJobs.jobs',
  /** The details page, a webview type. */
  job: 'transcriptionJobs.job',
  /** The comparison of live sessions, a webview type. */
  comparison: 'transcriptionJobs.comparison',
  /** The board, a webview type. */
  board: 'transcriptionJobs.board',
  /** The page of a batch, a webview type. */
  batch: 'transcriptionJobs.batch',
} as const;

/** URI scheme of documents that show items as received. */
export const rawDocumentScheme = 'transcription-job';

/** Context keys used by `when` clauses in `package.json`. */
export const contextKeys = {
  /** The view's `ViewState`. */
  state: 'transcriptionJobs.state',
  /** Name of the selected connection, even if no such connection exists; `''` when none is selected. */
  connection: 'transcriptionJobs.connection',
  /** The user has connections, whichever is in use. */
  hasConnections: 'transcriptionJobs.hasConnections',
  /** A service other than the sample has responded: a step of the walkthrough is done. */
  connected: 'transcriptionJobs.connected',
  /** A filter is set. */
  filtered: 'transcriptionJobs.filtered',
  /** A request was created from a template or a job: a step of the walkthrough is done, as with the next one. */
  requestOpened: 'transcriptionJobs.requestOpened',
  /** A service has accepted a request. */
  submitted: 'transcriptionJobs.submitted',
  /** The steps of Connect to a Service are open. */
  busyConnecting: 'transcriptionJobs.busyConnecting',
} as const;

/** Common prefix of all settings. */
export const section = 'transcriptionJobs';

type KeysOfEach<T> = T extends unknown ? keyof T : never;
type SettingIds = KeysOfEach<(typeof manifest)['contributes']['configuration'][number]['properties']>;
type WithoutPrefix<I> = I extends `${typeof section}.${infer N}` ? N : never;

/** The name of a setting in `package.json`, without the prefix. */
export type SettingName = WithoutPrefix<SettingIds>;

/** Returns the full id of a setting. */
export function settingId<N extends SettingName>(name: N): `${typeof section}.${N}` {
  return `${section}.${name}`;
}

/** Commands about connections, by their names in `commandIds`. */
export const connectionCommandNames = [
  'connect',
  'switchConnection',
  'editConnection',
  'removeConnection',
  'useSample',
  'setApiKey',
  'forgetApiKey',
  'showStoredKeys',
  'testConnection',
] as const satisfies readonly (keyof typeof commandIds)[];
/** Name of a connection command. */
export type ConnectionCommand = (typeof connectionCommandNames)[number];

/** Internal: called by the lens of request files, with the URI of one. */
export const showJobsOfFileCommand = '_transcriptionJobs.showJobsOfFile';

/** Internal: called by the rows of saved views, with their node. */
export const showViewCommand = '_transcriptionJobs.showView';
/** Internal: called by rows of submissions whose outcome is unknown, with the key of one. */
export const findSubmissionCommand = '_transcriptionJobs.findSubmission';

/**
 * Internal: called by keys that act on the focused row, which they select first. Keeps that selection from running the
 * row's command.
 */
export const holdRowCommand = '_transcriptionJobs.holdRow';

/** Explains a rule or a failure. Called by links of the extension only. */
export const explainCommand = '_transcriptionJobs.explain';
/**
 * Topic with which {@link explainCommand} explains failures: `error-codes/offline` is the page of all codes with that
 * one highlighted.
 */
export const errorCodesTopic = 'error-codes';
