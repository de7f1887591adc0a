import type { ConnectionDefaults, Connection } from '../../../src/connections/common/connection.ts';

/** Default values of a connection. */
export const connectionDefaults: ConnectionDefaults = {
  apiKeyHeader: 'x-service-key',
  arrayFormat: 'repeat',
  metadataFormat: 'json',
  limit: 20,
  listSource: 'byKind',
  timeoutSeconds: 30,
};

/** A connection to a service that does not exist. */
export const workConnection: Connection = {
  ...connectionDefaults,
  name: 'Work',
  baseUrl: 'https://api.example.com',
};
