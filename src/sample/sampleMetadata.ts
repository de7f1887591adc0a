import type { JsonObject } from '../base/json/json.ts';
import { omitUndefined } from './sampleJob.ts';
import { type NonEmpty, Random } from './random.ts';

const customers: NonEmpty<string> = [
  'Northwind Bank',
  'Aurora Health',
  'Café Noir',
  'Lumen Legal',
  'Harbour Logistics',
  'Søndergaard & Fils',
  'Kite Insurance',
  'Meridian Studios',
];
const projects: NonEmpty<string> = ['onboarding', 'support-line', 'quarterly-review', 'field-notes', 'archive-2019'];
const shows: NonEmpty<string> = ['Signal and Noise', 'The Long Table', 'Matière grise', '夜のラジオ', 'Second Draft'];
const guests: NonEmpty<string> = ['Ada Moreau', 'Tomás Rivera', 'Ingrid Bø', 'Kenji Watanabe', 'Priya Nair'];
const languages: NonEmpty<string> = ['en', 'en', 'en', 'fr', 'de', 'es', 'ja'];
const teams: NonEmpty<string> = ['tier-1', 'tier-2', 'back office'];

/** Returns the custom metadata profiles of sample jobs: objects, `null`, and `undefined` for jobs sent without any. */
export function sampleMetadataProfiles(seed: number): readonly (JsonObject | null | undefined)[] {
  const random = new Random(seed);
  return Array.from({ length: 1024 }, () => profile(random));
}

function profile(random: Random): JsonObject | null | undefined {
  const roll = random.next();
  if (roll < 0.08) return undefined;
  if (roll < 0.11) return null;
  if (roll < 0.14) return {};
  if (roll < 0.5) return call(random);
  if (roll < 0.82) return podcast(random);
  return meeting(random);
}

function call(random: Random): JsonObject {
  return omitUndefined({
    customer: random.pick(customers),
    project: random.pick(projects),
    language: random.pick(languages),
    team: random.pick(teams),
    ticket: random.chance(0.5) ? random.integer(10_000, 99_999) : undefined,
    escalated: random.chance(0.2) ? true : undefined,
  });
}

function podcast(random: Random): JsonObject {
  return omitUndefined({
    show: random.pick(shows),
    episode: random.integer(1, 120),
    language: random.pick(languages),
    guest: random.chance(0.6) ? random.pick(guests) : undefined,
  });
}

function meeting(random: Random): JsonObject {
  const project = random.pick(projects);
  return omitUndefined({
    title: `${project} weekly ${random.integer(1, 52)}`,
    customer: random.pick(customers),
    project,
    room: random.chance(0.15) ? { building: random.pick(['A', 'B', 'C']), floor: random.integer(0, 9) } : undefined,
    tags: random.chance(0.1) ? ['internal', random.pick(languages)] : undefined,
  });
}
