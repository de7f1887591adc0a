import * as vscode from 'vscode';
import {
  nameSpeaker,
  readSpeakerKey,
  readSpeakerName,
  type SpeakerNames,
} from '../../../jobs/common/result/speakerNames.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { Emitter } from '../../../base/emitter.ts';

/** The job whose speakers are named. */
export interface NamedSpeakersOf {
  /** The name of its connection. */
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

const maxJobs = 200;
const maxSpeakers = 100;

/** The names that a person gives to speakers, in memory of this window only: no service and no file but a saved transcript gets them. */
export class SpeakerNaming {
  readonly #names = new BoundedMap<string, SpeakerNames>(maxJobs);
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** The names of a job's speakers; none when nobody gave any. */
  namesOf(job: NamedSpeakersOf): SpeakerNames {
    return this.#names.get(keyOf(job)) ?? new Map();
  }

  /** Asks for a speaker's name; an empty one restores the default. Does nothing when the user cancels. @param key as a page sends it */
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
    // Read after the question: other names may have been given meanwhile.
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
