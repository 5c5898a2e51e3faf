/**
 * A stamp of this installation of Redzone: it changes whenever a file of ours does, so that what an older version has put
 * into the cache is not taken for the work of this one. Sizes and times are looked at, not contents.
 */
import { contentHash, fileStatus, filesBelow } from './files.js';
import { packageRoot } from './node.js';

/** `src` is there in a checkout only, where tests run from it. */
const folders = ['dist', 'runtime', 'src'];

let stamp: string | undefined;

export function installationStamp(): string {
  stamp ??= contentHash(
    folders.flatMap(folder =>
      filesBelow(packageRoot + folder).map(file => {
        const { bytes = 0, modifiedMs = 0 } = fileStatus(`${packageRoot}${folder}/${file}`) ?? {};
        return `${folder}/${file} ${bytes} ${modifiedMs}`;
      }),
    ),
  );
  return stamp;
}
