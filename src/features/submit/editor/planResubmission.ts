import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { type Finding, stringIn } from '../../../language/requestLanguage.ts';
import { makeRequestOfJob } from '../../requests/common/requestFromJob.ts';
import { findServiceKnowledge, statusOfErrorCode, type ServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import type { ListedAudio } from '../common/audioList.ts';
import type { Batch, BatchList, RepeatedJob } from '../common/batch.ts';
import { listedBody, readTemplate, type ListMetadata } from '../common/bodyEdits.ts';
import {
  decideResends,
  echoedFile,
  type EchoedRequest,
  type PresentRequest,
  type RequestSources,
  type Resend,
} from '../common/resubmission.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { digest } from '../../../base/digest.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readRequest, type RequestText } from '../../../language/editor/requestDocuments.ts';
import { warningsOf } from './sendableRequest.ts';
import { submittedName } from '../common/submissionText.ts';
import type { Submissions } from './submissions.ts';
import {
  chooseAudioList,
  readListAgain,
  rememberedList,
  rememberList,
  useColumnsAgain,
  type ChosenList,
} from './chooseAudioList.ts';
import { type PlannedBatch, type PlannedRequest } from './planBatch.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/** A request as it could be sent now, with its warnings. */
interface GatedRequest extends PresentRequest {
  readonly warnings: readonly Finding[];
}

/** A row of a list, with the keys of the metadata that are used unless the batch says otherwise. */
interface ListedRow extends ListedAudio {
  readonly usualKeys: readonly string[];
}

/** Rows by the hash of their URL in the journal. */
type ListedRows = ReadonlyMap<string, ListedRow>;

/** Lets the user select the list of audio URLs that a template was submitted with; undefined when the user has none. */
export type AskForList = (template: vscode.Uri) => Promise<ChosenList | undefined>;

/** The connection that failed jobs belong to. */
export type ResendConnection = Pick<Connection, 'name' | 'baseUrl' | 'service'>;

/** Determines what to send for failed jobs. Reads the journal and request files; sends nothing. */
export class ResendReader {
  readonly #submissions: Submissions;
  readonly #connection: ResendConnection;
  readonly #askForList: AskForList;
  readonly #files = new Map<string, Promise<ReadFile | undefined>>();
  /** URLs of the lists of known batches, by batch and by their hash in the journal. */
  readonly #known = new Map<string, Promise<ListedRows | undefined>>();
  /** URLs of the lists that the user selected, by template; undefined if none was selected. */
  readonly #given = new Map<string, Promise<ListedRows | undefined>>();
  readonly #ownBatch: string | undefined;

  /** @param ownBatch id of the batch that is continued: its own submissions do not prevent sending. */
  constructor(
    submissions: Submissions,
    { connection }: { readonly connection: ResendConnection },
    askForList: AskForList,
    ownBatch?: string,
  ) {
    this.#submissions = submissions;
    this.#connection = connection;
    this.#askForList = askForList;
    this.#ownBatch = ownBatch;
  }

  /** Time when the journal was read, by the local clock. */
  readAtMs = 0;

  /** Returns the texts of the files that were read, by URI. */
  async texts(): Promise<ReadonlyMap<string, RequestText>> {
    const read = await Promise.all([...this.#files].map(async ([uri, file]) => [uri, (await file)?.text] as const));
    return new Map(read.flatMap(([uri, text]) => (text === undefined ? [] : [[uri, text] as const])));
  }

  /** Returns the warnings about a body that this reader has returned. */
  warningsOf(body: string): readonly Finding[] {
    const gate = this.#submissions.gate(body);
    return gate.type === 'ok' ? warningsOf(gate) : [];
  }

  /** @param labelOf the user's label for an error code. */
  async read(jobs: readonly Job[], labelOf: (code: number) => string | undefined): Promise<readonly Resend[]> {
    const nowMs = this.#submissions.services.clock.now();
    this.readAtMs = nowMs;
    const { submissions: journal } = await this.#submissions.readJournal(this.#connection);
    const sources: RequestSources = {
      readFile: async (uri) => (await this.#readFile(uri))?.request,
      isTemplate: (first, file) => this.#isTemplate(first, file),
      readListed: (sent, template, first) => this.#readListed(sent, template, first),
      echoOf: (job) => this.#echoOf(job),
    };
    const isAudio = this.#submissions.audio.matches.bind(this.#submissions.audio);
    const statusOf = (code: number): number | undefined => statusOfErrorCode(code, this.#knowledge());
    return decideResends(jobs, journal, sources, { nowMs, digest, isAudio, labelOf, statusOf }, this.#ownBatch);
  }

  #gated(text: string): GatedRequest {
    const gate = this.#submissions.gate(text);
    if (gate.type === 'blocked') {
      return { body: text, audioUrl: undefined, problem: gate.findings[0]?.message ?? '', warnings: [] };
    }
    const audioUrl = stringIn(gate.request, 'audio_url');
    return { body: gate.body, audioUrl, problem: undefined, warnings: warningsOf(gate) };
  }

  #readFile(file: string): Promise<ReadFile | undefined> {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const reading = this.#readNow(file);
    this.#files.set(file, reading);
    return reading;
  }

  async #readNow(file: string): Promise<ReadFile | undefined> {
    if (!URL.canParse(file)) return undefined;
    try {
      const text = await readRequest(vscode.Uri.parse(file, true));
      return { text, request: this.#gated(text.text) };
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  /** True if a file is only the template of the sent request. Decides by the batch, or else by the audio in the file. */
  async #isTemplate({ batch: id, audioHash }: Submission, { audioUrl }: PresentRequest): Promise<boolean> {
    if (id === undefined || audioHash === undefined) return false;
    const { audio } = this.#submissions;
    const batch = await this.#batchOf(id);
    if (batch?.plan.source.type === 'list') return true;
    return batch?.plan.source.type !== 'files' && (audioUrl === undefined || !audio.isOf(audioHash, audioUrl));
  }

  /** Undefined for a batch that cannot be read. */
  async #batchOf(id: string): Promise<Batch | undefined> {
    return this.#submissions.batches
      .find(this.#connection, id)
      .then((stored) => stored.ledger.read())
      .catch(() => undefined);
  }

  async #readListed(
    { file, audioHash = '', bodyHash }: Submission,
    { body }: PresentRequest,
    { batch = '' }: Submission,
  ): Promise<GatedRequest | 'noList' | undefined> {
    const known = this.#known.get(batch) ?? this.#readKnown(batch);
    this.#known.set(batch, known);
    let row: ListedRow | undefined = (await known)?.get(audioHash);
    if (row === undefined) {
      const given = this.#given.get(file) ?? this.#askForUrls(file, batch);
      this.#given.set(file, given);
      const urls = await given;
      if (urls === undefined) return 'noList';
      row = urls.get(audioHash);
    }
    if (row === undefined) return undefined;
    const template = readTemplate(body);
    const { usualKeys } = row;
    const bodyWith = (metadata: ListMetadata) => listedBody(template, row, metadata);
    const source = (await this.#batchOf(batch))?.plan.source;
    if (source?.type === 'list') {
      const { titleKey, metadataKeys = [] } = source;
      const text = bodyWith({ titleKey, metadataKeys });
      return text === undefined ? undefined : this.#gated(text);
    }
    // The batch of the list is no longer stored: the body that was sent shows which metadata it had.
    const titleKeys = [undefined, ...this.#submissions.services.settings.get('labelKeys')];
    const possible = titleKeys
      .flatMap((titleKey): readonly ListMetadata[] => [
        { titleKey, metadataKeys: usualKeys },
        { titleKey, metadataKeys: [] },
        { titleKey },
      ])
      .flatMap((metadata) => bodyWith(metadata) ?? []);
    const text = possible.find((each) => digest(each) === bodyHash) ?? possible[0];
    return text === undefined ? undefined : this.#gated(text);
  }

  /** Reads the list of a batch, if it was selected in this window, or its file still exists. */
  async #readKnown(batch: string): Promise<ListedRows | undefined> {
    const source = (await this.#batchOf(batch))?.plan.source;
    const file = source?.type === 'list' ? source.list : undefined;
    try {
      const chosen =
        rememberedList(this.#submissions, batch) ??
        (file === undefined ? undefined : await readListAgain(this.#submissions, vscode.Uri.parse(file, true)));
      return chosen && this.#byHash(chosen);
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  async #askForUrls(template: string, batch: string): Promise<ListedRows | undefined> {
    const chosen = await this.#askForList(vscode.Uri.parse(template, true));
    if (chosen === undefined) {
      this.#submissions.services.log.info(`batch ${batch}: no list given`);
      return undefined;
    }
    rememberList(this.#submissions, batch, chosen);
    return this.#byHash(chosen);
  }

  #byHash({ list, metadata }: ChosenList): ListedRows {
    const { audio } = this.#submissions;
    const usualKeys = metadata.metadataKeys ?? [];
    return new Map(list.audio.map((each) => [audio.of(each.url), { ...each, usualKeys }]));
  }

  /** Returns what the lists of these requests have in common; undefined if any of them is of no list. */
  async commonList(resends: readonly Resend[]): Promise<BatchList | undefined> {
    const ids = [...new Set(resends.map(({ batch }) => batch ?? ''))];
    const sources = await Promise.all(ids.map(async (id) => (await this.#batchOf(id))?.plan.source));
    const lists = sources.flatMap((source) => (source === undefined || source.type === 'files' ? [] : [source]));
    const [first, ...others] = lists;
    if (first === undefined || lists.length < ids.length) return undefined;
    const { list, titleKey, metadataKeys } = first;
    return {
      list: others.every((each) => each.list === list) ? list : undefined,
      titleKey: others.every((each) => each.titleKey === titleKey) ? titleKey : undefined,
      metadataKeys: metadataKeys?.filter((key) => others.every((each) => each.metadataKeys?.includes(key) === true)),
    };
  }

  #knowledge(): ServiceKnowledge | undefined {
    return findServiceKnowledge(this.#connection.service, this.#connection.baseUrl);
  }

  #echoOf(job: Job): EchoedRequest | undefined {
    const made = makeRequestOfJob(job, this.#knowledge()?.service);
    if (made === undefined || stringIn(made.body, 'audio_url') === undefined) return undefined;
    const isWhole = made.fates.every(({ fate }) => fate === 'copied');
    return { ...this.#gated(JSON.stringify(made.body, undefined, 2)), isWhole };
  }
}

interface ReadFile {
  readonly text: RequestText;
  readonly request: GatedRequest;
}

/** Plans a batch from the resends that the user has selected. */
export async function planResends(reader: ResendReader, chosen: readonly Resend[]): Promise<PlannedBatch> {
  const requests = chosen.flatMap(({ job, file = echoedFile, label, request }): readonly PlannedRequest[] => {
    if (request === undefined) return [];
    const { body, audioUrl } = request;
    return [
      {
        item: digest(job.id),
        label: submittedName({ file, label }),
        request: { file, body, audioUrl, replaces: job.id, ...(label !== undefined && { label }) },
        warnings: reader.warningsOf(body),
      },
    ];
  });
  const jobs = chosen.flatMap(({ job, file, label, request }): readonly RepeatedJob[] =>
    request === undefined ? [] : [{ job: job.id, file, bodyHash: digest(request.body), label }],
  );
  return {
    source: { type: 'resubmit', jobs, ...(await reader.commonList(chosen)) },
    requests,
    leftOut: [],
    texts: await reader.texts(),
    readAtMs: reader.readAtMs,
  };
}

/** Plans the rest of a batch of resends. Includes only bodies that the user has confirmed. */
export async function planConfirmedResends(
  submissions: Submissions,
  service: SubmitTarget,
  batch: string,
  confirmed: readonly RepeatedJob[],
  loadJobs: (ids: ReadonlySet<string>) => Promise<readonly Job[]>,
): Promise<PlannedBatch> {
  const reader = new ResendReader(submissions, service, (template) => askForResendList(submissions, template), batch);
  const echoed = new Set(confirmed.filter(({ file }) => file === undefined).map(({ job }) => job));
  const loaded = new Map((echoed.size === 0 ? [] : await loadJobs(echoed)).map((job) => [job.id, job]));
  const jobs = confirmed.map(({ job }) => loaded.get(job) ?? unloadedJob(job));
  const resends = await reader.read(jobs, () => undefined);
  const labels = new Map(confirmed.map(({ job, label }) => [job, label]));
  const hashes = new Map(confirmed.map(({ job, bodyHash }) => [job, bodyHash]));
  const isConfirmed = ({ job, request, isSentAgain }: Resend): boolean =>
    request !== undefined && !isSentAgain && digest(request.body) === hashes.get(job.id);
  const planned = await planResends(reader, resends.filter(isConfirmed));
  const leftOut = resends
    .filter((each) => !isConfirmed(each))
    .map(({ job, file, label, request, isSentAgain, remarks }) => {
      const knownLabel = label ?? labels.get(job.id);
      const name =
        knownLabel === undefined && file === undefined
          ? job.id
          : submittedName({ file: file ?? '', label: knownLabel });
      const isUnsendable = request === undefined || isSentAgain;
      const why = isUnsendable ? remarks[0] : vscode.l10n.t('The request has changed since you confirmed it.');
      return `${name}: ${why ?? ''}`;
    });
  return { ...planned, source: { type: 'resubmit', jobs: confirmed }, leftOut };
}

/** Lets the user select the list that a template was submitted with. */
export function askForResendList(submissions: Submissions, template: vscode.Uri): Promise<ChosenList | undefined> {
  const name = posix.basename(template.path);
  return chooseAudioList(submissions, template, useColumnsAgain, {
    title: vscode.l10n.t('Resubmit Failed Jobs'),
    placeholder: vscode.l10n.t('Which audio URLs were submitted with "{0}"?', name),
  });
}

/** Creates a failed job with only an id. */
export function unloadedJob(id: string): Job {
  const unknown = { createdAtMs: undefined, completedAtMs: undefined, errorCode: undefined };
  return { type: 'job', id, kind: 'pre-recorded', status: 'error', ...unknown, raw: '{}' };
}
