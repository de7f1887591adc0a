import { t } from '@vscode/l10n';
import type { JsonObject } from '../../json.ts';
import { isPrivateHost } from '../addressKind.ts';
import type { Fix } from '../finding.ts';
import { linkExpiry } from '../linkExpiry.ts';
import { valuePlace } from '../requestFile.ts';
import { memberOf, stringIn } from '../requestValue.ts';
import type { Rule } from './rule.ts';

const path = ['audio_url'] as const;
const place = valuePlace(...path);

const missing: Rule = {
  code: 'audio-url/missing',
  severity: 'warning',
  aboutAbsence: true,
  explain: () => t('Without audio_url there is nothing to transcribe.'),
  *check({ body, places }) {
    const isThere = memberOf(body, 'audio_url') !== undefined;
    if (places.count === 0 || (isThere && stringIn(body, 'audio_url')?.trim() !== '')) return;
    yield {
      message: t('audio_url is missing: there is nothing to transcribe.'),
      place: isThere ? place : { path: [], part: 'begin' },
    };
  },
};

export const notHttp: Rule = {
  code: 'audio-url/not-http',
  severity: 'error',
  explain: () => t('The service fetches the audio by itself, by http or https; it sees no file of this machine.'),
  *check({ body }) {
    const text = addressOf(body);
    if (text === undefined || httpUrl(text)) return;
    const completed = completedAddress(text);
    yield {
      message: t('This is not an http or https address: the service cannot fetch it.'),
      place,
      ...(completed !== undefined && { fixes: [replaceBy(t('Change to {0}', completed), completed, false)] }),
    };
  },
};

const spaces: Rule = {
  code: 'audio-url/spaces',
  severity: 'warning',
  explain: () => t('Spaces around the address are not part of it, and a service may not forgive them.'),
  *check({ body }) {
    const text = stringIn(body, 'audio_url');
    const trimmed = text?.trim();
    if (text === trimmed || trimmed === undefined || trimmed === '') return;
    yield {
      message: t('There are spaces around the address.'),
      place,
      fixes: [replaceBy(t('Remove the spaces'), trimmed, true)],
    };
  },
};

const privateAddress: Rule = {
  code: 'audio-url/private-address',
  severity: 'warning',
  explain: () => t('An address of this machine or of a private network cannot be reached from the service.'),
  *check({ body }) {
    const url = httpUrl(addressOf(body));
    if (!url || !isPrivateHost(url.hostname)) return;
    yield { message: t('"{0}" can hardly be reached from the service: it is local or private.', url.hostname), place };
  },
};

const credentials: Rule = {
  code: 'audio-url/credentials',
  severity: 'warning',
  explain: () => t('A user name and password in the address are sent to the service and come back with the job.'),
  *check({ body }) {
    const text = addressOf(body);
    const url = httpUrl(text);
    if (!url || (url.username === '' && url.password === '')) return;
    const without = text?.replace(/^([^/?#]*\/\/)[^/?#]*@/u, '$1');
    yield {
      message: t('A user name or password in the address goes to the service and is stored with the job.'),
      place,
      ...(without !== undefined &&
        httpUrl(without)?.username === '' && {
          fixes: [replaceBy(t('Remove the credentials'), without, false)],
        }),
    };
  },
};

const expired: Rule = {
  code: 'audio-url/expired',
  severity: 'warning',
  explain: () => t('A signed link that has expired gives no audio.'),
  *check({ body }, { nowMs }) {
    const url = httpUrl(addressOf(body));
    const endMs = url && linkExpiry(url);
    if (endMs === undefined || endMs > nowMs) return;
    yield { message: t('This signed link expired at {0}.', new Date(endMs).toISOString()), place };
  },
};

export const audioUrlRules: readonly Rule[] = [missing, notHttp, spaces, privateAddress, credentials, expired];

/** The address without spaces around it; undefined when there is none to speak of. */
function addressOf(body: JsonObject): string | undefined {
  const text = stringIn(body, 'audio_url')?.trim();
  return text === '' ? undefined : text;
}

function httpUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !/^https?:\/\//iu.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

/** `example.com/a.mp3` with `https://` before it; undefined when the text is nothing of the kind. */
function completedAddress(text: string): string | undefined {
  const host = /^(?:https?:)?(?:\/\/)?((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/.*)$/iu.exec(text)?.[1];
  const completed = `https://${host}`;
  return host !== undefined && httpUrl(completed) ? completed : undefined;
}

function replaceBy(title: string, value: string, safe: boolean): Fix {
  return { title, changes: [{ type: 'replace', path, value }], safe };
}
