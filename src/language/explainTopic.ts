import { t } from '@vscode/l10n';
import type { EffectTopic } from './effect.ts';
import { closest } from 'fastest-levenshtein';
import { ruleCatalog, ruleCodes } from './check.ts';
import { findServiceKnowledge } from '../known/serviceKnowledge.ts';
import type { Rule, RuleSource } from './request/finding.ts';
import { schemaCodes, syntaxCodes } from './request/jsonFindings.ts';

/**
 * Explains in Markdown what the service does with a part of a request, and what the rules check there.
 * @param id topic of the effect or code of a rule
 * @returns undefined if the id is neither
 */
export function explainTopic(id: string): string | undefined {
  const topic = topics.find((each) => each.topic === id || each.prefixes.some((prefix) => id.startsWith(`${prefix}/`)));
  if (!topic) return undefined;
  const rules = rulesOf(topic).map(({ code, source, explain }) => {
    const from = describeSource(source);
    return code === id ? `- **\`${code}\`** — **${explain()}** (${from})` : `- \`${code}\` — ${explain()} (${from})`;
  });
  const checked = rules.length === 0 ? [] : [`## ${t('What is checked')}`, rules.join('\n')];
  return `${[`# ${topic.title()}`, ...topic.paragraphs(), ...checked].join('\n\n')}\n`;
}

/** Name of the service whose limits are known. */
const knownName = (): string => findServiceKnowledge()?.service.name ?? '';

/** Returns a localised name of the origin of a rule. */
export function describeSource(source: RuleSource): string {
  switch (source) {
    case 'service':
      return t('data about {0}', knownName());
    case 'address':
      return t('how addresses and hosts work');
    case 'request':
      return t('the request itself');
    default:
      return t('section {0} of the interface', source.replace('contract ', ''));
  }
}

/** Codes of all findings. */
const findingCodes: readonly string[] = [...ruleCodes, ...Object.values(schemaCodes), ...Object.values(syntaxCodes)];

/** Returns the word with the spelling closest to a given one: by default, among the codes of findings. */
export function nearestWord(given: string, words = findingCodes): string {
  return closest(given, words);
}

/** Explanation of a part of a request, with its rules in the order of the catalogue. */
export interface ExplainedTopic {
  readonly title: string;
  /** Markdown. */
  readonly paragraphs: readonly string[];
  readonly rules: readonly Rule[];
}

/** Returns all topics of {@link explainTopic}, for the reference. */
export function explainAllTopics(): readonly ExplainedTopic[] {
  return topics.map((topic) => ({ title: topic.title(), paragraphs: topic.paragraphs(), rules: rulesOf(topic) }));
}

function rulesOf({ prefixes }: Topic): readonly Rule[] {
  return ruleCatalog.filter(({ code }) => prefixes.some((prefix) => code.startsWith(`${prefix}/`)));
}

interface Topic {
  readonly topic: EffectTopic | undefined;
  /** Prefixes of the rule codes. */
  readonly prefixes: readonly string[];
  readonly title: () => string;
  readonly paragraphs: () => readonly string[];
}

const topics: readonly Topic[] = [
  {
    topic: 'language',
    prefixes: ['languages'],
    title: () => t('Language'),
    paragraphs: () => [
      t(
        'Without a language and with `code_switching` false, the language is detected in the first utterance and kept.',
      ),
      t('With `code_switching`, it is re-detected for each utterance, and each utterance names its language.'),
      t('With several languages and `code_switching` false, it is not re-detected for each utterance.'),
      t('With exactly one language, `code_switching` is ignored.'),
      t(
        'With an empty list, more than 100 languages compete. With `code_switching`, that causes misdetections: list the 3 to 5 expected languages.',
      ),
    ],
  },
  {
    topic: 'speakers',
    prefixes: ['diarization'],
    title: () => t('Speakers'),
    paragraphs: () => [
      t(
        'When each speaker has their own audio channel, the `channel` of each utterance tells who speaks, and diarization is not needed.',
      ),
      t(
        'When speakers share a channel, `diarization` tells them apart. The numbers in `diarization_config` are hints.',
      ),
      t(
        "A request doesn't show how many channels the audio has, so no rule can report that diarization is not needed.",
      ),
    ],
  },
  {
    topic: 'vocabulary',
    prefixes: ['vocabulary'],
    title: () => t('Vocabulary'),
    paragraphs: () => [
      t(
        'Terms replace similar-sounding words after transcription. Use `custom_vocabulary` and `custom_vocabulary_config` together.',
      ),
      t('An intensity between 0.4 and 0.6 is recommended; a plain string uses `default_intensity`.'),
      t(
        'When the audio is multilingual and a term is pronounced differently per language, add an entry with `language` for each.',
      ),
    ],
  },
  {
    topic: 'subtitles',
    prefixes: ['subtitles'],
    title: () => t('Subtitles'),
    paragraphs: () => [
      t(
        'Rows of at most 42 characters and 2 rows per caption are recommended. The style `compliance` formats more strictly.',
      ),
      t('Together with `translation`, subtitles are produced for each target language.'),
    ],
  },
  {
    topic: 'translation',
    prefixes: ['translation'],
    title: () => t('Translation'),
    paragraphs: () => [
      t('Together with `subtitles`, subtitles are produced for each target language.'),
      t('Target languages in `translation_config` are documented by {0} only.', knownName()),
    ],
  },
  {
    topic: 'output',
    prefixes: [],
    title: () => t('More output'),
    paragraphs: () => [t('Each of these switches adds something to the result.')],
  },
  {
    topic: 'callback',
    prefixes: [],
    title: () => t('Callback'),
    paragraphs: () => [t('The service calls this address when the job finishes and includes the result.')],
  },
  {
    topic: 'syntax',
    prefixes: ['json'],
    title: () => t('Syntax errors'),
    paragraphs: () => [
      t('The text has syntax errors. Only what can be read of it is described; correct them to see all.'),
      t(
        'Comments and trailing commas do no harm: they are left out when the request is sent, even if the editor marks the commas as errors. Of duplicate keys, the last one is used.',
      ),
    ],
  },
  {
    topic: 'caveat',
    prefixes: [],
    title: () => t('Old names'),
    paragraphs: () => [t('The request uses names that the service has replaced. Shown here is what they used to do.')],
  },
  {
    topic: undefined,
    prefixes: ['schema'],
    title: () => t('Types and values'),
    paragraphs: () => [
      t(
        'A field of the wrong type is an error: the request is not sent. A missing field or an unknown value is a warning, which does not stop it.',
      ),
    ],
  },
  {
    topic: undefined,
    prefixes: ['fields'],
    title: () => t('Fields'),
    paragraphs: () => [t('Unknown fields are sent unchanged.')],
  },
  {
    topic: undefined,
    prefixes: ['audio-url'],
    title: () => t('Audio'),
    paragraphs: () => [
      t(
        'The service fetches the audio from `audio_url` itself: it must be reachable over http or https when the job starts.',
      ),
    ],
  },
  {
    topic: undefined,
    prefixes: ['service'],
    title: () => t('What the service accepts'),
    paragraphs: () => [
      t(
        'Service rules apply when the connection has the service\'s address or names it in "service"; otherwise they are shown as information about {0}.',
        knownName(),
      ),
    ],
  },
  {
    topic: undefined,
    prefixes: ['switches'],
    title: () => t('Switches and their settings'),
    paragraphs: () => [
      t(
        'A switch turns something on; the object named after it holds its settings. The interface asks to send custom_vocabulary and custom_vocabulary_config together; of other settings without their switch it says nothing.',
      ),
    ],
  },
];
