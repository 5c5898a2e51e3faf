/** The plug-ins that come with Redzone, by their specifiers. Each is loaded on demand. */
import { builtInPlugins } from './hook-plan.js';
import type { Plugin } from './plugin.js';

export async function builtIn(specifier: string): Promise<Plugin | undefined> {
  switch (specifier) {
    case builtInPlugins.aliasing:
      return (await import('./strict-aliasing.js')).strictAliasing as Plugin;
    case builtInPlugins.restrict:
      return (await import('./restrict-violation.js')).restrictViolation as Plugin;
    default:
      return undefined;
  }
}
