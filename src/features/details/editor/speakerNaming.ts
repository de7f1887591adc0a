import * as vscode from 'vscode';
import { Emitter } from '../../../base/emitter.ts';
import type { StateStore } from '../../../base/stateStore.ts';
import {
  maxNamedJobs,
  maxNamedSpeakers,
  namedSpeakersKey,
  readNamedSpeakers,
  type JobWithNames,
} from '../common/namedSpeakers.ts';
import {
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
        'Used on the page of this job, in copies, and in files that you save from now on. It stays on this computer. Leave it empty to show {0}.',
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
    if (name !== '' && name !== usual && names.size < maxNamedSpeakers) names.set(key, name);
    const speakers = [...names].map(([speaker, each]) => ({ speaker, name: each }));
    const others = this.#stored().filter((each) => each.job !== keyOf(job));
    const named: readonly JobWithNames[] = speakers.length === 0 ? others : [...others, { job: keyOf(job), speakers }];
    await this.#state.update(namedSpeakersKey, named.slice(-maxNamedJobs));
    this.#changed.fire();
  }

  #stored(): readonly JobWithNames[] {
    return readNamedSpeakers(this.#state.get(namedSpeakersKey));
  }
}

function keyOf({ origin, kind, id }: NamedSpeakersOf): string {
  return JSON.stringify([origin, kind, id]);
}
