import * as vscode from 'vscode';
import { attempt, list, record, shortText, Undecodable, type Decoded } from '../../../base/decode/decoder.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { StateStore } from '../../../base/stateStore.ts';
import {
  maxSpeakerName,
  nameSpeaker,
  readSpeakerKey,
  readSpeakerName,
  type SpeakerNames,
} from '../../../jobs/common/result/speakerNames.ts';

/** Identifies the job whose speakers are named. */
export interface NamedSpeakersOf {
  /** Origin of the job's service, which stays the same if the connection is renamed. */
  readonly origin: string;
  readonly kind: string;
  readonly id: string;
}

const maxJobs = 200;
const maxSpeakers = 100;
/** In characters. */
const maxKeyLength = 3000;
/** Global state key: the names of version 1, the most recently changed job last. */
const stateKey = 'speakerNames.1';

const decodeSpeaker = record({ speaker: shortText(maxKeyLength), name: shortText(maxSpeakerName) });
const decodeNamedJob = record({ job: shortText(maxKeyLength), speakers: list(decodeSpeaker, maxSpeakers) });
type NamedJob = Decoded<typeof decodeNamedJob>;

/** Keeps the names that the user gives to speakers, on this computer. The service does not get them. */
export class SpeakerNaming {
  readonly #state: StateStore;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param state state that all windows share */
  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns the names of a job's speakers; empty if none were given. */
  namesOf(job: NamedSpeakersOf): SpeakerNames {
    const key = keyOf(job);
    const named = this.#stored().find((each) => each.job === key);
    return new Map(named?.speakers.map(({ speaker, name }) => [speaker, name]));
  }

  /** Prompts for the name of a speaker; an empty one restores the default. Changes nothing on cancel. @param key as sent by a page */
  async rename(job: NamedSpeakersOf, key: string): Promise<void> {
    const who = readSpeakerKey(key);
    const usual = who && nameSpeaker(who);
    if (usual === undefined) return;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Name of {0}', usual),
      prompt: vscode.l10n.t(
        'Used on the page, in copies and in saved files of this job. It stays on this computer. Leave it empty to show {0}.',
        usual,
      ),
      placeHolder: usual,
      value: this.namesOf(job).get(key) ?? '',
    });
    if (typed === undefined) return;
    // Read after the prompt: other names may have been given meanwhile, also in other windows.
    const names = new Map(this.namesOf(job));
    const name = readSpeakerName(typed);
    names.delete(key);
    if (name !== '' && name !== usual && names.size < maxSpeakers) names.set(key, name);
    const speakers = [...names].map(([speaker, each]) => ({ speaker, name: each }));
    const others = this.#stored().filter((each) => each.job !== keyOf(job));
    const named: readonly NamedJob[] = speakers.length === 0 ? others : [...others, { job: keyOf(job), speakers }];
    await this.#state.update(stateKey, named.slice(-maxJobs));
    this.#changed.fire();
  }

  /** Returns the readable entries of what is stored. */
  #stored(): readonly NamedJob[] {
    const stored = this.#state.get(stateKey);
    return (Array.isArray(stored) ? stored.slice(-maxJobs) : []).flatMap((each: unknown) => {
      const named = attempt(decodeNamedJob, each);
      return named instanceof Undecodable ? [] : [named];
    });
  }
}

function keyOf({ origin, kind, id }: NamedSpeakersOf): string {
  return JSON.stringify([origin, kind, id]);
}
