const newestMs = Date.UTC(2026, 10, 20, 12);
/** The values of `custom_metadata.customer`, each of as many jobs. */
export const customers = ['Aurora Health', 'Blue Harbor', 'Café Noir', 'Northwind Bank', 'The Long Table'];

/** Creation time of a job by its number, each a minute older than the previous one. Milliseconds since the epoch. */
export function createdMs(serial: number): number {
  return newestMs - serial * 60_000;
}

/** The id of a job by its number: a UUID. */
export function benchId(serial: number): string {
  const hex = ((Math.imul(serial, 0x9e3779b1) >>> 0) + 0x1_0000_0000).toString(16).slice(1);
  const rest = serial.toString(16).padStart(12, '0');
  return `${hex}-${rest.slice(0, 4)}-4000-8000-${rest}`;
}

/** The JSON text of a finished pre-recorded job as in contract 2.2: about 600 bytes. */
export function benchItem(serial: number): string {
  const created = new Date(createdMs(serial)).toISOString();
  const completed = new Date(createdMs(serial) + 42_000).toISOString();
  return JSON.stringify({
    id: benchId(serial),
    request_id: `G-${String(serial).padStart(8, '0')}`,
    version: 2,
    status: 'done',
    created_at: created,
    completed_at: completed,
    kind: 'pre-recorded',
    custom_metadata: {
      customer: customers[serial % customers.length],
      project: `weekly review ${serial % 52}`,
      ticket: 100_000 + serial,
      tags: ['internal', 'quarterly', 'en'],
      note: 'Recorded in the large room, two microphones, some noise from the street after the first half hour; the last ten minutes are music.',
    },
    post_session_metadata: { reviewed: serial % 3 === 0, reviewer: 'someone@example.com', rating: serial % 5 },
    error_code: null,
  });
}
