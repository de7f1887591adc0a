/**
 * User settings that disable what could disturb tests in a new editor: welcome page, tips, updates, chat and Git.
 * Written as the newest editor writes them: it rewrites other forms at startup, and the settings file that it opens for
 * that activates all extensions for JSON.
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
