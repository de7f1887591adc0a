import { t } from '@vscode/l10n';
import type { EffectTopic } from './effect.ts';
import { ruleCatalog } from './check.ts';

/**
 * Explains in Markdown what the service does with a part of a request, and what the rules check there.
 * @param id a topic of the effect or the code of a rule
 * @returns undefined when it is neither
 */
export function explainTopic(id: string): string | undefined {
  const topic = topics.find((each) => each.topic === id || each.rooms.some((room) => id.startsWith(`${room}/`)));
  if (!topic) return undefined;
  const rules = ruleCatalog
    .filter(({ code }) => topic.rooms.some((room) => code.startsWith(`${room}/`)))
    .map(({ code, explain }) =>
      code === id ? `- **\`${code}\`** — **${explain()}**` : `- \`${code}\` — ${explain()}`,
    );
  const checked = rules.length === 0 ? [] : [`## ${t('What is checked')}`, rules.join('\n')];
  return `${[`# ${topic.title()}`, ...topic.paragraphs(), ...checked].join('\n\n')}\n`;
}

interface Topic {
  readonly topic: EffectTopic | undefined;
  /** Prefixes of the codes of its rules. */
  readonly rooms: readonly string[];
  readonly title: () => string;
  readonly paragraphs: () => readonly string[];
}

const topics: readonly Topic[] = [
  {
    topic: 'language',
    rooms: ['languages'],
    title: () => t('Language'),
    paragraphs: () => [
      t(
        'Without a language and without `code_switching`, the language is detected on the first utterance and kept for the rest.',
      ),
      t('With `code_switching`, it is detected anew on each utterance, and each utterance says which it was.'),
      t('With exactly one language, `code_switching` is ignored.'),
      t(
        'With an empty list, more than 100 languages compete. Together with `code_switching` that leads to misdetections: list the 3 to 5 languages to expect.',
      ),
    ],
  },
  {
    topic: 'speakers',
    rooms: ['diarization'],
    title: () => t('Speakers'),
    paragraphs: () => [
      t(
        'When each speaker has its own audio channel, the `channel` of each utterance tells who speaks, and diarization is not needed.',
      ),
      t(
        'When speakers share a channel, `diarization` tells them apart. The numbers in `diarization_config` are hints.',
      ),
    ],
  },
  {
    topic: 'vocabulary',
    rooms: ['vocabulary'],
    title: () => t('Vocabulary'),
    paragraphs: () => [
      t(
        'Terms replace what sounds like them, after the transcription. `custom_vocabulary` and `custom_vocabulary_config` go together.',
      ),
      t('An intensity between 0.4 and 0.6 is recommended; a plain string uses `default_intensity`.'),
      t(
        'When the audio is multilingual and a term is pronounced differently per language, give each language an entry with `language`.',
      ),
    ],
  },
  {
    topic: 'subtitles',
    rooms: ['subtitles'],
    title: () => t('Subtitles'),
    paragraphs: () => [
      t(
        'Rows of at most 42 characters and 2 rows per caption are recommended. The style `compliance` formats more strictly.',
      ),
      t('Together with `translation`, subtitles are produced for the original and for each target language.'),
    ],
  },
  {
    topic: 'translation',
    rooms: [],
    title: () => t('Translation'),
    paragraphs: () => [
      t('Together with `subtitles`, subtitles are produced for the original and for each target language.'),
      t('Target languages in `translation_config` are known from one public service only.'),
    ],
  },
  {
    topic: 'output',
    rooms: ['fields'],
    title: () => t('More output'),
    paragraphs: () => [
      t('Each of these switches adds something to the result. Fields that are not described are sent as they are.'),
    ],
  },
  {
    topic: 'callback',
    rooms: [],
    title: () => t('Callback'),
    paragraphs: () => [t('The service calls this address when the job is finished, and sends the result along.')],
  },
  {
    topic: 'caveat',
    rooms: [],
    title: () => t('Old names'),
    paragraphs: () => [
      t('The request has names that the service has replaced. What stands here is what they used to do.'),
    ],
  },
  {
    topic: undefined,
    rooms: ['audio-url'],
    title: () => t('Audio'),
    paragraphs: () => [
      t(
        'The service fetches the audio from `audio_url` by itself: it must be reachable by http or https when the job starts.',
      ),
    ],
  },
  {
    topic: undefined,
    rooms: ['service'],
    title: () => t('What the service takes'),
    paragraphs: () => [
      t(
        'What is known of a service applies when the connection has its address or names it in "service"; otherwise it is information about one public service.',
      ),
    ],
  },
  {
    topic: undefined,
    rooms: ['switches'],
    title: () => t('Switches and their settings'),
    paragraphs: () => [
      t(
        'A switch turns something on; the object named after it holds its settings. Settings without their switch have no effect.',
      ),
    ],
  },
];
