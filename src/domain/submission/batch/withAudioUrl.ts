import { parseJson } from '../../request/json/parseJson.ts';
import { applyEdits } from '../../request/json/textRange.ts';
import { isJsonObject } from '../../json.ts';

/** The body of a request with another `audio_url`; every other character stays. Undefined when the body is no object. */
export function withAudioUrl(body: string, url: string): string | undefined {
  const { value, places } = parseJson(body);
  if (!isJsonObject(value)) return undefined;
  const row = places.rowAt(['audio_url']);
  if (row >= 0) return applyEdits(body, [{ ...places.range(row), text: JSON.stringify(url) }]);
  const comma = Object.keys(value).length === 0 ? '' : ',';
  const member = `"audio_url":${JSON.stringify(url)}${comma}`;
  return applyEdits(body, [{ offset: places.range(0).offset + 1, length: 0, text: member }]);
}

/** Where audio is, in few words and without what a signed link must keep: "files.example.com/…/call.wav". */
export function audioLabel(audioUrl: string): string {
  if (!URL.canParse(audioUrl)) return '';
  const { host, pathname } = new URL(audioUrl);
  const steps = pathname.split('/').filter((step) => step !== '');
  return [host, ...(steps.length > 1 ? ['…'] : []), ...steps.slice(-1)].join('/');
}
