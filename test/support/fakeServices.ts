import { Actions, type FeatureActions, type Services } from '../../src/services.ts';

/** The services that a test needs, and of each the members that it needs. */
export type ServiceParts = { readonly [N in Exclude<keyof Services, 'actions'>]?: Partial<Services[N]> } & {
  readonly actions?: Partial<FeatureActions>;
};

/** Returns services for a part of the product that uses only these. */
export function fakeServices({ actions = {}, ...parts }: ServiceParts): Services {
  const provided = new Actions();
  provided.provide(actions);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- using a missing member fails the test
  return { ...parts, actions: provided } as unknown as Services;
}
