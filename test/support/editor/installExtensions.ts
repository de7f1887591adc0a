import { temporaryFolder } from './ownedFolder.ts';
import { provisionEditor, type ProvisionedEditor } from './provisionEditor.ts';
import { runTool } from './runTool.ts';
import { UserError } from './userError.ts';

/**
 * Installs packages with the editor's own command line into a folder with which editors can then be started.
 * @throws UserError with the editor's output if it rejects one
 */
export async function installExtensions(
  vsixes: readonly string[],
  extensionsDir: string,
  editor?: ProvisionedEditor,
): Promise<void> {
  if (vsixes.length === 0) return;
  const { node, root } = editor ?? (await provisionEditor());
  const data = temporaryFolder();
  const args = ['--accept-server-license-terms', `--server-data-dir=${data.path}`, `--extensions-dir=${extensionsDir}`];
  try {
    for (const vsix of vsixes) {
      const { code, stdout, stderr } = await runTool(
        node,
        ['out/server-main.js', ...args, '--install-extension', vsix],
        // Without a gallery there are no network requests.
        { cwd: root, env: { ...process.env, EXTENSIONS_GALLERY: '{}' } },
      );
      if (code === 0 && /successfully installed/.test(stdout)) continue;
      const said = `${stderr}${stdout}`.trim().replaceAll('\n', ' · ');
      throw new UserError(`The editor did not install ${vsix}: ${said}`);
    }
  } finally {
    data.remove();
  }
}
