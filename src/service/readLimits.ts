/** How much one request may ask for. */
export interface ReadLimits {
  readonly page: number;
  readonly most: number;
}

/** The most items that a request for many asks; services are seen to take 100. */
export const bulkLimit = 100;
/** A list is read again whole while it is no longer than this many requests. */
export const rereadRequests = 10;
