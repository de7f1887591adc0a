import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import { isJsonObject } from '../../domain/json/json.ts';

/** A command's argument as a node of the jobs view; undefined when it is something else. Anyone can call a command with anything. */
export function asTreeNode(given: unknown): TreeNode | undefined {
  if (!isJsonObject(given)) return undefined;
  const { type, kind, id, key, place } = given;
  switch (type) {
    case 'sampleNote':
    case 'deprecatedNote':
      return { type };
    case 'kind':
      return typeof kind === 'string' ? { type, kind } : undefined;
    case 'job':
      return typeof kind === 'string' && typeof id === 'string' ? { type, kind, id } : undefined;
    case 'group':
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty': {
      const list = asListKey(key);
      return list === undefined ? undefined : { type, key: list };
    }
    case 'unreadable': {
      const list = asListKey(key);
      return list === undefined || typeof place !== 'number' ? undefined : { type, key: list, place };
    }
    default:
      return undefined;
  }
}

function asListKey(value: unknown): { readonly kind: string; readonly status: string | undefined } | undefined {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return undefined;
  // Not from JSON: a key made here says `status: undefined`.
  const status: unknown = value['status'];
  return status === undefined || typeof status === 'string' ? { kind: value['kind'], status } : undefined;
}
