import type { JsonValue } from '../../../src/base/json/json.ts';

const levels = 50;

/** An item in which every text attempts an injection. */
export const hostileItem = {
  id: '"><img src=x onerror=run()>',
  request_id: '</script><script>run()</script>',
  version: 2,
  status: 'done',
  created_at: '2026-11-20T08:00:00.000Z',
  completed_at: '2026-11-20T08:00:20.000Z',
  kind: 'pre-recorded',
  error_code: null,
  post_session_metadata: { ['__proto__']: { polluted: true }, constructor: 'x', '{0}': '{0} {1}' },
  custom_metadata: {
    title: '<img src=x onerror=run()>',
    '<svg onload=run()>': '<iframe src="https://outside.example/frame"></iframe>',
    script: 'javascript:run()',
    data: 'data:text/html,<script>run()</script>',
    command: 'command:workbench.action.reloadWindow',
    markdown: '![x](https://outside.example/x.png) [y](javascript:run())',
    rightToLeft: '\u202Egnp.exe\u202C \u05D0\u05D1\u05D2',
    zeroWidth: 'a\u200B\u200D\uFEFFb\u2066c',
    long: 'x'.repeat(100_000),
    nested: Array.from({ length: levels }).reduce<JsonValue>((inner) => ({ in: inner }), '<b>deep</b>'),
    many: Array.from({ length: 250 }, (_, index) => `entry ${index}`),
    ['k'.repeat(5000)]: true,
    '': null,
  },
} as const;
