import type { Connection } from '../../../src/service/ports.ts';

/** A connection to a service that is not there. */
export const workConnection: Connection = {
  name: 'Work',
  baseUrl: 'https://api.example.com',
  apiKeyHeader: 'x-service-key',
  arrayFormat: 'repeat',
  metadataFormat: 'json',
};
