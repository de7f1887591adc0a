import type { FeatureActions, Services } from '../../src/services.ts';

/** The actions that a test needs, by feature. */
type ActionParts = { readonly [N in keyof FeatureActions]?: Partial<FeatureActions[N]> };

/** The services that a test needs, and of each the members that it needs. */
export type ServiceParts = { readonly [N in Exclude<keyof Services, 'actions'>]?: Partial<Services[N]> } & {
  readonly actions?: ActionParts;
};

/** Returns services for a part of the product that uses only these. */
export function fakeServices({ actions = {}, ...parts }: ServiceParts): Services {
  const provided: Record<string, unknown> = {
    ...actions,
    provide: (feature: string, all: unknown): void => void (provided[feature] = all),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- using a missing member fails the test
  return { ...parts, actions: provided } as unknown as Services;
}

/** Adds actions to fake services, or replaces some of them. */
export function replaceActions<N extends keyof FeatureActions>(
  { actions }: Services,
  feature: N,
  replaced: Partial<FeatureActions[N]>,
): void {
  Object.assign(actions, { [feature]: { ...actions[feature], ...replaced } });
}
