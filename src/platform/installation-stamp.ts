/**
 * A stamp of this installation of Redzone: it changes whenever something of ours does, or the version of clang, so that what an older version has put
 * into the cache is not taken for the work of this one.
 *
 * The build leaves a stamp of its own. Of the library's sources, which need no build, sizes and times are looked at; and in a checkout, where tests
 * run from `src`, those of what was changed there since the build.
 */
import { contentHash, type FileStatus, fileStatus, filesBelow, readFileIfAny } from './files.js';
import { dependencyVersion, packageRoot } from './node.js';

const builtStamp = `${packageRoot}dist/bundle/stamp`;

let stamp: string | undefined;

export function installationStamp(): string {
  stamp ??= contentHash([
    ofBuild(),
    dependencyVersion('@yowasp/clang'),
    ...stampsOf('runtime'),
    ...changedSources(),
  ]);
  return stamp;
}

function ofBuild(): string {
  return new TextDecoder().decode(readFileIfAny(builtStamp));
}

function stampsOf(folder: string, isMeant: (status: FileStatus) => boolean = () => true): string[] {
  return filesBelow(packageRoot + folder).flatMap(file => {
    const status = fileStatus(`${packageRoot}${folder}/${file}`);
    const isCounted = status !== undefined && isMeant(status);
    return isCounted ? [`${folder}/${file} ${status.bytes} ${status.modifiedMs}`] : [];
  });
}

function changedSources(): string[] {
  if (!import.meta.url.includes('/src/platform/')) return [];
  const builtMs = fileStatus(builtStamp)?.modifiedMs ?? 0;
  return stampsOf('src', ({ modifiedMs }) => modifiedMs > builtMs);
}
