/**
 * A stamp of this installation of Redzone: it changes whenever something of ours does, or the
 * version of clang, so that what an older version has put into the cache is not taken for the work
 * of this one.
 *
 * The build leaves a hash of all contents (`scripts/bundle.mjs`). In a checkout files may be newer
 * than that: sources of the C library, which need no build, and where tests run from `src`, our
 * own. Of these, sizes and times are looked at.
 */
import { contentHash, fileStatus, filesBelow, readFileIfAny } from './files.js';
import { dependencyVersion, packageRoot } from './node.js';

const builtStamp = `${packageRoot}dist/bundle/stamp`;
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
  const builtMs = fileStatus(builtStamp)?.modifiedMs ?? 0;
  const files = folders.flatMap(folder => filesBelow(packageRoot + folder).map(file => `${folder}/${file}`));
  return files.flatMap(file => {
    const { bytes = 0, modifiedMs = 0 } = fileStatus(packageRoot + file) ?? {};
    return modifiedMs > builtMs ? [`${file} ${bytes} ${modifiedMs}`] : [];
  });
}
