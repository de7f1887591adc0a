/**
 * User settings that keep a fresh editor quiet: no welcome page, tips, updates, chat or Git between a test and what it looks at. As the newest
 * editor writes them: what it knows in another form it rewrites at its start, and a settings file that it opens activates all that is for JSON.
 */
export const defaultSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'npm.autoDetect': 'off',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.banner': 'never',
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.editor.useModal': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};
