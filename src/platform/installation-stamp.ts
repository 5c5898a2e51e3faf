/**
 * A stamp of this installation of Redzone: it changes whenever a file of Redzone or the version of
 * clang does, so that cached results of an older version are not used.
 *
 * The build writes a hash of all contents (`scripts/bundle.mjs`). In a checkout files may be newer
 * than that: sources of the C library, which need no build, and Redzone's own if tests run from
 * `src`. For these, sizes and times are included.
 */
import { contentHash, fileStatus, filesBelow, readFileIfAny } from './files.js';
import { dependencyVersion, packageRoot } from './node.js';

const builtStamp = `${packageRoot}dist/bundle/stamp`;
/** Only a checkout has it: the files of an installed package do not change. */
const ofCheckouts = `${packageRoot}tsconfig.json`;
const folders = import.meta.url.includes('/src/platform/') ? ['runtime', 'src'] : ['runtime'];

let stamp: string | undefined;

export function installationStamp(): string {
  stamp ??= contentHash([
    new TextDecoder().decode(readFileIfAny(builtStamp)),
    dependencyVersion('@yowasp/clang'),
    ...changedSinceBuild(),
  ]);
  return stamp;
}

function changedSinceBuild(): string[] {
  if (fileStatus(ofCheckouts) === undefined) return [];
  const builtMs = fileStatus(builtStamp)?.modifiedMs ?? 0;
  const files = folders.flatMap(folder => filesBelow(packageRoot + folder).map(file => `${folder}/${file}`));
  return files.flatMap(file => {
    const { bytes = 0, modifiedMs = 0 } = fileStatus(packageRoot + file) ?? {};
    return modifiedMs > builtMs ? [`${file} ${bytes} ${modifiedMs}`] : [];
  });
}
