import type { ConnectionDefaults, Connection } from '../../../src/connections/common/connection.ts';

/** What a connection has when nothing else is set. */
export const connectionDefaults: ConnectionDefaults = {
  apiKeyHeader: 'x-service-key',
  arrayFormat: 'repeat',
  metadataFormat: 'json',
  limit: 20,
  listSource: 'byKind',
  timeoutSeconds: 30,
};

/** A connection to a service that is not there. */
export const workConnection: Connection = {
  ...connectionDefaults,
  name: 'Work',
  baseUrl: 'https://api.example.com',
};
