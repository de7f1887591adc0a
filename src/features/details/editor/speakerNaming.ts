import * as vscode from 'vscode';
import {
  nameSpeaker,
  readSpeakerKey,
  readSpeakerName,
  type SpeakerNames,
} from '../../../jobs/common/result/speakerNames.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { Emitter } from '../../../base/emitter.ts';

/** Identifies the job whose speakers are named. */
export interface NamedSpeakersOf {
  /** Name of the job's connection. */
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

const maxJobs = 200;
const maxSpeakers = 100;

/** Keeps the names that the user gives to speakers, in the memory of this window only. Only saved transcripts and copies contain them. */
export class SpeakerNaming {
  readonly #names = new BoundedMap<string, SpeakerNames>(maxJobs);
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** Returns the names of a job's speakers; empty if none were given. */
  namesOf(job: NamedSpeakersOf): SpeakerNames {
    return this.#names.get(keyOf(job)) ?? new Map();
  }

  /** Prompts for the name of a speaker; an empty one restores the default. Changes nothing on cancel. @param key as sent by a page */
  async rename(job: NamedSpeakersOf, key: string): Promise<void> {
    const who = readSpeakerKey(key);
    const usual = who && nameSpeaker(who);
    if (usual === undefined) return;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Name of {0}', usual),
      prompt: vscode.l10n.t(
        'Used on the page, in copies and in saved transcripts of this job, until this window is closed. Leave it empty to show {0}.',
        usual,
      ),
      placeHolder: usual,
      value: this.namesOf(job).get(key) ?? '',
    });
    if (typed === undefined) return;
    // Read after the prompt: other names may have been given meanwhile.
    const names = new Map(this.namesOf(job));
    const name = readSpeakerName(typed);
    names.delete(key);
    if (name !== '' && name !== usual && names.size < maxSpeakers) names.set(key, name);
    if (names.size === 0) this.#names.delete(keyOf(job));
    else this.#names.set(keyOf(job), names);
    this.#changed.fire();
  }
}

function keyOf({ connection, kind, id }: NamedSpeakersOf): string {
  return JSON.stringify([connection, kind, id]);
}
