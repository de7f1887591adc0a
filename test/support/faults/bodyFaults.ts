import { gzipSync } from 'node:zlib';
import { preRecordedItem } from '../builders/jobItem.ts';
import type { FaultRow } from './faultMatrix.ts';
import { answer, largeBody, pageText, truncatedGzip, wrongLength } from './plays.ts';
import type { Fault } from './scene.ts';

const body = (...[text, headers]: [text?: string | Uint8Array, headers?: Record<string, string>]): Fault => ({
  type: 'play',
  play: answer(200, text, headers),
});
const jsonIn = (charset: string): Record<string, string> => ({
  'content-type': `application/json; charset=${charset}`,
});
const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const withItem = (item: string): string => `{"first":"","current":"","next":null,"items":[${item}]}`;
const loginPage = '<html><head><title>x</title><style>p{}</style></head><body><p>Please sign&nbsp;in</p></body></html>';

/** Responses with status 200 that are otherwise wrong. A POST that gets one has been accepted nevertheless. */
export const bodyFaults: readonly FaultRow[] = [
  { name: 'truncated gzip', fault: { type: 'play', play: truncatedGzip }, get: ['notJson', 1], post: ['accepted', 1] },
  { name: 'wrong length', fault: { type: 'play', play: wrongLength }, get: ['offline', 3], post: ['accepted', 1] },
  {
    name: 'other charset',
    fault: body(Buffer.from(pageText, 'latin1'), jsonIn('latin1')),
    get: ['page', 1],
    post: ['accepted', 1],
  },
  { name: 'wrong charset', fault: body(pageText, jsonIn('no-such-charset')), get: ['page', 1], post: ['accepted', 1] },
  { name: 'BOM', fault: body(`\uFEFF${pageText}`), get: ['page', 1], post: ['accepted', 1] },
  { name: 'empty', fault: body(''), get: ['notJson', 1], post: ['accepted', 1] },
  { name: 'HTML', fault: body(loginPage, { 'content-type': 'text/html' }), get: ['notJson', 1], post: ['accepted', 1] },
  { name: 'null', fault: body('null'), get: ['unexpectedShape', 1], post: ['accepted', 1] },
  { name: 'array', fault: body('[]'), get: ['unexpectedShape', 1], post: ['accepted', 1] },
  { name: '40 MB', fault: { type: 'play', play: largeBody(40) }, get: ['tooLarge', 1], post: ['accepted', 1] },
  { name: 'endless', fault: { type: 'play', play: largeBody(Infinity) }, get: ['tooLarge', 1], post: ['accepted', 1] },
  {
    name: '40 MB in 40 kB of gzip',
    fault: body(gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    get: ['tooLarge', 1],
    post: ['accepted', 1],
  },
  { name: '100,000-deep JSON', fault: body(deep), get: ['unexpectedShape', 1], post: ['accepted', 1] },
  {
    name: '100,000-deep item',
    fault: body(withItem(`{"id":"deep","x":${deep}}`)),
    get: ['page', 1],
    post: ['accepted', 1],
  },
  {
    name: 'huge numbers',
    fault: body(withItem('{"id":"a","version":1e999}')),
    get: ['page', 1],
    post: ['accepted', 1],
  },
  { name: 'duplicate keys', fault: body(withItem('{"id":"a","id":"b"}')), get: ['page', 1], post: ['accepted', 1] },
  {
    name: 'NaN dates',
    fault: body(withItem(JSON.stringify(preRecordedItem({ created_at: 'NaN', completed_at: '2026-02-30T25:00:00Z' })))),
    get: ['page', 1],
    post: ['accepted', 1],
  },
  { name: 'NaN', fault: body(withItem('{"id":"a","version":NaN}')), get: ['notJson', 1], post: ['accepted', 1] },
  { name: '204', fault: { type: 'play', play: answer(204) }, get: ['notJson', 1], post: ['accepted', 1] },
];
