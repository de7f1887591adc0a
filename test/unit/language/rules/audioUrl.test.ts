import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules } from '../../../../src/language/check.ts';
import type { LinkNeed, RuleContext } from '../../../../src/language/request/finding.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { fires, isSilent } from './ruleCases.ts';

const request = (url: string) => `{"audio_url": ${JSON.stringify(url)}}`;
const marked = (url: string) => `{"audio_url": «${JSON.stringify(url)}»}`;

fires(
  'audio-url/missing',
  { text: '«{»}' },
  { text: ' «{»"diarization": true}' },
  { text: marked('') },
  { text: marked('  ') },
  { text: '«[»]' },
);
isSilent('audio-url/missing', request('https://media.example.com/a.mp3'), '{"audio_url": 3}', '', '{"diarization": tr');

fires(
  'audio-url/not-http',
  { text: marked('ftp://media.example.com/a.mp3') },
  { text: marked('file:///home/me/a.mp3') },
  { text: marked(String.raw`C:\audio\a.mp3`) },
  { text: marked('a.mp3') },
  { text: marked('https://') },
  { text: marked('media.example.com/a.mp3'), fixed: [request('https://media.example.com/a.mp3')] },
  { text: marked('media.example.com:8443/a.mp3'), fixed: [request('https://media.example.com:8443/a.mp3')] },
  { text: marked('//media.example.com/a.mp3'), fixed: [request('https://media.example.com/a.mp3')] },
);
isSilent('audio-url/not-http', request('HTTP://media.example.com/a b.mp3'), request(''), '{"audio_url": 1}', '{}');

fires(
  'audio-url/spaces',
  {
    text: marked(' https://media.example.com/a.mp3\n'),
    fixed: [request('https://media.example.com/a.mp3')],
  },
  { text: marked('https://f.example.org/my call.mp3'), fixed: [request('https://f.example.org/my%20call.mp3')] },
  {
    text: marked('https://f.example.org/my\u00a0call.mp3'),
    fixed: [request('https://f.example.org/my%C2%A0call.mp3')],
  },
  { text: marked('https://f.example.org/a\nb.mp3'), fixed: [request('https://f.example.org/ab.mp3')] },
  { text: marked('https://f.example.org/a\u200bb.mp3'), fixed: [request('https://f.example.org/ab.mp3')] },
);
isSilent(
  'audio-url/spaces',
  request('https://media.example.com/a%20b.mp3'),
  request(' '),
  request('https://a.example/a.mp3 https://a.example/b.mp3'),
  request('my call.mp3'),
);

fires(
  'audio-url/several-addresses',
  {
    text: marked('https://a.example/a.mp3, https://a.example/b.mp3'),
    fixed: [request('https://a.example/a.mp3')],
  },
  {
    text: marked('https://a.example/a.mp3?x=1\nhttps://a.example/b.mp3'),
    fixed: [request('https://a.example/a.mp3?x=1')],
  },
  { text: marked('https://a.example/a.mp3;HTTP://a.example/b.mp3'), fixed: [request('https://a.example/a.mp3')] },
);
isSilent(
  'audio-url/several-addresses',
  request('https://a.example/a.mp3?then=https://b.example,https://c.example'),
  request('https://web.archive.org/web/2020/https://a.example/a.mp3'),
  request(' https://a.example/a.mp3 '),
);

fires(
  'audio-url/playlist',
  { text: marked('https://a.example/live/index.m3u8?token=1') },
  { text: marked('https://a.example/list.M3U') },
  { text: marked('https://a.example/manifest.mpd') },
);
isSilent(
  'audio-url/playlist',
  request('https://a.example/m3u8'),
  request('https://a.example/a.mp3?from=a.m3u8'),
  request('a.m3u8'),
);

fires(
  'audio-url/private-address',
  ...[
    'http://localhost:8080/a.mp3',
    'http://files.localhost/a.mp3',
    'http://nas/a.mp3',
    'http://nas.local./a.mp3',
    'http://127.0.0.1/a.mp3',
    'http://0x7f.1/a.mp3',
    'http://10.1.2.3/a.mp3',
    'http://172.31.0.1/a.mp3',
    'http://192.168.1.10/a.mp3',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/a.mp3',
    'http://[::1]/a.mp3',
    'http://[fd00::1]/a.mp3',
    'http://[fe80::1]/a.mp3',
    'http://[::ffff:10.0.0.1]/a.mp3',
  ].map((url) => ({ text: marked(url) })),
);
isSilent(
  'audio-url/private-address',
  ...[
    'https://media.example.com/a',
    'http://8.8.8.8/a',
    'http://172.32.0.1/a',
    'http://[2001:db8::1]/a',
    'ftp://nas/a',
  ].map(request),
);

fires('audio-url/credentials', {
  text: marked('https://me:secret@media.example.com/a.mp3?x=@y'),
  fixed: [request('https://media.example.com/a.mp3?x=@y')],
});
isSilent('audio-url/credentials', request('https://media.example.com/@me/a.mp3'));

fires(
  'audio-url/expired',
  ...[
    'https://b.s3.amazonaws.com/a?X-Amz-Date=20261120T110000Z&X-Amz-Expires=3599&X-Amz-Signature=0',
    'https://storage.googleapis.com/b/a?X-Goog-Date=20261119T120000Z&X-Goog-Expires=600',
    'https://x.blob.core.windows.net/a?se=2026-11-20T11%3A59%3A59Z&sig=0',
    'https://b.s3.amazonaws.com/a?AWSAccessKeyId=A&Expires=1700000000&Signature=0',
  ].map((url) => ({ text: marked(url) })),
);
isSilent(
  'audio-url/expired',
  ...[
    'https://b.s3.amazonaws.com/a?X-Amz-Date=20261120T110000Z&X-Amz-Expires=3601',
    'https://x.blob.core.windows.net/a?se=2026-11-20T12%3A00%3A01Z&sig=0',
    'https://media.example.com/a?se=2020-01-01',
    'https://media.example.com/a?expires=3600',
    'https://media.example.com/a?Expires=%E0%A4%A',
    'https://media.example.com/a?X-Amz-Date=yesterday&X-Amz-Expires=1',
  ].map(request),
);

fires(
  'audio-url/expired',
  ...[
    'https://cdn.example.com/a.mp3?hdnts=st=1~exp=1700000000~hmac=00',
    'https://cos.example.com/a.mp3?q-sign-time=1600000000;1700000000',
    'https://oss.example.com/a.mp3?x-oss-date=20261120T110000Z&x-oss-expires=60',
    'https://cdn.example.com/a.mp3?ex=65530000&is=65520000&hm=00',
    'https://play.example.com/a?expire=1700000000',
    'https://files.example.com/a.mp3?expires_at=2026-11-20T11%3A00%3A00Z',
    'https://files.example.com/a.mp3?token_expiry=1700000000',
    `https://files.example.com/a.mp3?expires=1700000000&policy=${'a'.repeat(16_000)}`,
    'https://files.example.com/a.mp3?expires=1700000000000',
    'https://files.example.com/a.mp3?validUntil=2026-11-20T11%3A00%3A00Z',
    'https://files.example.com/a.mp3?Expires=Fri%2C%2020%20Nov%202026%2011%3A00%3A00%20GMT',
    'https://files.example.com/a.mp3?e=1700000000&token=a:b',
    // {"Statement":[{"Resource":"a","Condition":{"DateLessThan":{"AWS:EpochTime":1700000000}}}]}
    'https://d1.cloudfront.example/a.mp3?Policy=eyJTdGF0ZW1lbnQiOlt7IlJlc291cmNlIjoiYSIsIkNvbmRpdGlvbiI6eyJEYXRlTGVzc1RoYW4iOnsiQVdTOkVwb2NoVGltZSI6MTcwMDAwMDAwMH19fV19&Signature=x',
    // {"alg":"HS256"}.{"exp":1700000000}
    'https://files.example.com/t/eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.abc/a.mp3',
    // {"alg":"HS256"}.{"url":"a/b.mp3","iat":1600000000,"exp":1700000000}
    'https://x.supabase.example/storage/v1/object/sign/a/b.mp3?token=eyJhbGciOiJIUzI1NiJ9.eyJ1cmwiOiJhL2IubXAzIiwiaWF0IjoxNjAwMDAwMDAwLCJleHAiOjE3MDAwMDAwMDB9.c2lnbmF0dXJl',
  ].map((url) => ({ text: marked(url) })),
);
isSilent(
  'audio-url/expired',
  ...[
    'https://media.example.com/a?exp=a&ex=65530000',
    'https://media.example.com/a?token=eyJhbGciOiJIUzI1NiJ9.!!.c',
    'https://media.example.com/a?token=eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjF9.c',
    'https://media.example.com/a?expires=2000000000',
    'https://media.example.com/a?e=1700000000&expires_in=1700000000',
  ].map(request),
);

fires(
  'audio-url/page-link',
  {
    text: marked('https://drive.google.com/file/d/1AbC_d-E/view?usp=sharing'),
    fixed: [request('https://drive.google.com/uc?export=download&id=1AbC_d-E')],
  },
  {
    text: marked('https://drive.google.com/open?id=1AbC'),
    fixed: [request('https://drive.google.com/uc?export=download&id=1AbC')],
  },
  {
    text: marked('https://www.dropbox.com/scl/fi/x/a.mp3?rlkey=k&dl=0'),
    fixed: [request('https://www.dropbox.com/scl/fi/x/a.mp3?rlkey=k&dl=1')],
  },
  {
    text: marked('https://github.com/o/r/blob/main/a.wav'),
    fixed: [request('https://raw.githubusercontent.com/o/r/main/a.wav')],
  },
  {
    text: marked('https://huggingface.co/datasets/o/r/blob/main/a.wav'),
    fixed: [request('https://huggingface.co/datasets/o/r/resolve/main/a.wav')],
  },
  {
    text: marked('https://gitlab.com/o/r/-/blob/main/a.wav'),
    fixed: [request('https://gitlab.com/o/r/-/raw/main/a.wav')],
  },
  {
    text: marked('https://bitbucket.org/o/r/src/main/a.wav'),
    fixed: [request('https://bitbucket.org/o/r/raw/main/a.wav')],
  },
  {
    text: marked('https://storage.cloud.google.com/bucket/a.wav'),
    fixed: [request('https://storage.googleapis.com/bucket/a.wav')],
  },
  { text: marked('https://www.dropbox.com/scl/fo/abc/def?rlkey=k') },
  { text: marked('https://github.com/o/r/tree/main') },
  { text: marked('https://me.sharepoint.com/sites/x/Forms/AllItems.aspx?id=a') },
  { text: marked('https://console.aws.amazon.com/s3/object/b?prefix=a.mp3') },
  { text: marked('https://www.mediafire.com/file/abc/a.mp3/file') },
  { text: marked('https://app.box.com/s/abc') },
  { text: marked('https://1drv.ms/u/s!abc') },
  { text: marked('https://me.sharepoint.com/:u:/g/abc') },
  { text: marked('https://us02web.zoom.us/rec/share/abc') },
);
isSilent(
  'audio-url/page-link',
  ...[
    'https://drive.google.com/uc?export=download&id=1',
    'https://www.dropbox.com/s/x/a.mp3?dl=1',
    'https://dl.dropboxusercontent.com/s/x/a.mp3',
    'https://raw.githubusercontent.com/o/r/main/a.wav',
    'https://www.youtube.com/watch?v=1',
    'https://onedrive.live.com/download?resid=1',
    'https://github.com/o/r/raw/main/a.wav',
    'https://p1.pcloud.com/abc/a.mp3',
    'https://us02web.zoom.us/rec/webhook_download/AbC/xyz?access_token=tok',
    'https://us02web.zoom.us/rec/download/AbC?access_token=tok',
    'https://github.com/o/r/blob/main/a.mp3?raw=true',
    'https://me.sharepoint.com/:u:/g/abc?download=1',
    'https://me.sharepoint.com/_layouts/15/download.aspx?UniqueId=1',
    'https://download1.mediafire.com/abc/a.mp3',
  ].map(request),
);

fires('audio-url/unencrypted', {
  text: marked('http://media.example.com/a.mp3'),
  fixed: [request('https://media.example.com/a.mp3')],
});
isSilent('audio-url/unencrypted', request('https://media.example.com/a.mp3'), request('http://localhost/a.mp3'));

fires('audio-url/short-life', {
  text: marked('https://x.blob.core.windows.net/a?se=2026-11-20T12%3A30%3A59Z&sig=0'),
});
isSilent(
  'audio-url/short-life',
  request('https://x.blob.core.windows.net/a?se=2026-11-20T12%3A31%3A00Z&sig=0'),
  request('https://x.blob.core.windows.net/a?se=2026-11-20T12%3A00%3A00Z&sig=0'),
  request('https://media.example.com/a.mp3'),
);

test('shows the expiry of a link in the locale of the user, otherwise in a format for programs', () => {
  const file = parseRequest(request('https://x.blob.core.windows.net/a?se=2025-01-01T00%3A01%3A00Z&sig=0'));
  const shown = (context: Pick<RuleContext, 'locale'>): readonly string[] =>
    checkRules(file, { nowMs: Date.parse('2026-11-20T12:00:00Z'), ...context }).map(({ message }) => message);
  assert.deepEqual(shown({}), ['This signed link expired on 2025-01-01T00:01:00.000Z.']);
  const [french = ''] = shown({ locale: { language: 'fr', timeZone: 'UTC' } });
  assert.match(french, /expired on 1 janv\. 2025,? .*00:01:00 UTC\.$/u);
});

test('compares the lifetime of a link with the required time, and reports nothing if that is unknown', () => {
  const file = parseRequest(request('https://x.blob.core.windows.net/a?se=2026-11-20T12%3A22%3A30Z&sig=0'));
  const shown = (linkNeed?: () => LinkNeed | undefined): readonly string[] =>
    checkRules(file, { nowMs: Date.parse('2026-11-20T12:00:00Z'), ...(linkNeed && { linkNeed }) }).map(
      ({ message }) => message,
    );
  assert.deepEqual(
    shown(() => ({ neededMs: 30.2 * 60_000, isMeasured: true })),
    ['This signed link expires in 22 min; 95% of recent jobs needed 31.'],
  );
  assert.deepEqual(
    shown(() => ({ neededMs: 60 * 60_000, isMeasured: false })),
    ['This signed link expires in 22 min; it should last 60.'],
  );
  assert.deepEqual([...shown(() => undefined), ...shown()], []);
});

test('checks a request with an excessively long host like any other', () => {
  const file = parseRequest(request(`https://${'A'.repeat(20_000)}.example/a.mp3`));
  const findings = checkRules(file, { nowMs: 0 });
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['audio-url/not-http'],
  );
});
