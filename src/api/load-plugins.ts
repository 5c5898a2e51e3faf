/**
 * Finds the plug-ins that the user names, compiles them to JavaScript, loads and validates them.
 */
import { type Diagnostic, InputError, inputError } from '../findings/diagnostic.js';
import type { CheckKind } from '../monitor/check-kinds.js';
import { absolutePath, workingFolder } from '../platform/files.js';
import { findModule, importDefault } from '../platform/load-module.js';
import { builtIn } from '../plugins/built-in.js';
import {
  builtInChecks,
  builtInPlugins,
  type HookPlan,
  type LoadedPlugin,
  planOf,
} from '../plugins/hook-plan.js';
import type { Plugin } from '../plugins/plugin.js';

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** Undefined if the plug-ins compile nothing into the program. */
  readonly plan: HookPlan | undefined;
  /** For a worker, which loads the plug-ins again. */
  readonly modules: readonly { readonly specifier: string; readonly url: string }[];
}

/** The plug-ins of the user, and the built-in ones that `--checks` adds. */
export function pluginsFor(
  plugins: readonly string[],
  checks: readonly CheckKind[] | undefined,
): readonly string[] {
  const added = builtInChecks.filter(check => checks?.includes(check));
  return [...added.map(check => builtInPlugins[check]), ...plugins];
}

/** Undefined if there are none. */
export async function loadPlugins(specifiers: readonly string[]): Promise<LoadedPlugins | undefined> {
  if (specifiers.length === 0) return undefined;
  const modules: { specifier: string; url: string }[] = [];
  const plugins: LoadedPlugin[] = [];
  for (const specifier of specifiers) {
    const own = await builtIn(specifier);
    if (own !== undefined) {
      modules.push({ specifier, url: specifier });
      plugins.push({ specifier, plugin: own });
      continue;
    }
    const found = await findModule(specifier, workingFolder());
    if (found.kind === 'missing') throw missing(specifier);
    if (found.kind === 'broken')
      throw new InputError(...found.problems.map(problem => ({ severity: 'error' as const, ...problem })));
    modules.push({ specifier, url: found.url });
    plugins.push({ specifier, plugin: (await loaded(specifier, found.url)) as Plugin });
  }
  return { plugins, modules, plan: planOf(plugins) };
}

function missing(specifier: string): InputError {
  const isPath = /^\.{0,2}\/|\.[cm]?[jt]s$/.test(specifier);
  const diagnostic: Diagnostic = {
    severity: 'error',
    message: isPath
      ? `no such plug-in: '${absolutePath('', specifier)}'`
      : `no such plug-in: there is no package '${specifier}' here`,
    ...(!isPath && { help: `a file is named with its path: \`--plugin ./${specifier}\`` }),
  };
  return new InputError(diagnostic);
}

async function loaded(specifier: string, url: string): Promise<unknown> {
  try {
    return await importDefault(url);
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw inputError(
      `the plug-in '${specifier}' cannot be loaded: ${what}`,
      'this is a defect of the plug-in, not of the program',
    );
  }
}
