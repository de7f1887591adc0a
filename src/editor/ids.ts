import type { SettingName } from '../domain/settings/settingShapes.ts';

/** Every command, as `package.json` declares it. */
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
  filter: 'transcriptionJobs.filter',
  clearFilter: 'transcriptionJobs.clearFilter',
  findJob: 'transcriptionJobs.findJob',
  countJobs: 'transcriptionJobs.countJobs',
  openJob: 'transcriptionJobs.openJob',
  openJobToSide: 'transcriptionJobs.openJobToSide',
  openJobJson: 'transcriptionJobs.openJobJson',
  copyJobId: 'transcriptionJobs.copyJobId',
  copyRequestId: 'transcriptionJobs.copyRequestId',
  copyJobJson: 'transcriptionJobs.copyJobJson',
  copyCurl: 'transcriptionJobs.copyCurl',
  compareJobs: 'transcriptionJobs.compareJobs',
  watchJob: 'transcriptionJobs.watchJob',
  showWatched: 'transcriptionJobs.showWatched',
  exportJobs: 'transcriptionJobs.exportJobs',
  exportRow: 'transcriptionJobs.exportRow',
  newRequest: 'transcriptionJobs.newRequest',
  newRequestFromJob: 'transcriptionJobs.newRequestFromJob',
  checkRequest: 'transcriptionJobs.checkRequest',
  previewRequest: 'transcriptionJobs.previewRequest',
  submitRequest: 'transcriptionJobs.submitRequest',
  submitBatch: 'transcriptionJobs.submitBatch',
  copyRequestCurl: 'transcriptionJobs.copyRequestCurl',
  showSubmissions: 'transcriptionJobs.showSubmissions',
  showLog: 'transcriptionJobs.showLog',
} as const;
/** One of our commands. */
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** The view, its container and its page, as `package.json` and the editor know them. */
export const viewIds = {
  container: 'transcriptionJobs',
  jobs: 'transcriptionJobs.jobs',
  /** The details page, a webview type. */
  job: 'transcriptionJobs.job',
} as const;

/** Documents that show items as they were received. */
export const rawDocumentScheme = 'transcription-job';

/** Context keys that `when` clauses in `package.json` ask for. */
export const contextKeys = {
  /** What the view has to say: a `ViewState`. */
  state: 'transcriptionJobs.state',
  /** Name of the chosen connection, also when there is none of that name; `''` when none is chosen. */
  connection: 'transcriptionJobs.connection',
  /** A filter is set. */
  filtered: 'transcriptionJobs.filtered',
  /** The steps of Connect to a Service are on the screen. */
  busyConnecting: 'transcriptionJobs.busyConnecting',
} as const;

/** What the names of all settings begin with. */
export const section = 'transcriptionJobs';

/** The full id of a setting, as the settings editor knows it. */
export function settingId<N extends SettingName>(name: N): `${typeof section}.${N}` {
  return `${section}.${name}`;
}

/** The commands about connections, as `commandIds` names them. */
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
/** One of them. */
export type ConnectionCommand = (typeof connectionCommandNames)[number];

/** Scheme of the read-only documents that tell of batches. */
export const batchScheme = 'transcription-batch';

/** Not for people: links in those documents call it with the id of a job. */
export const openSubmittedJobCommand = '_transcriptionJobs.openSubmittedJob';
