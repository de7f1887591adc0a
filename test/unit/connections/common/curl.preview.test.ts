import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPreview } from '../../../../src/connections/common/curl.ts';

test('shows method, address, headers and body, and hides the key', () => {
  const target = { url: 'https://api.example.com/v2/pre-recorded', keyHeader: 'x-service-key' };
  assert.equal(
    formatPreview(target, '{}'),
    'POST https://api.example.com/v2/pre-recorded\ncontent-type: application/json\nx-service-key: ••••••••\n\n{}',
  );
});
