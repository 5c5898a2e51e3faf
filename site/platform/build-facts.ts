/**
 * What `scripts/build-site.mjs` knows of the build, put in the place of this name by the bundler.
 */
declare const REDZONE_BUILD: BuildFacts;

/** A file of the site that is downloaded when it is first needed, compressed by gzip. */
export interface Asset {
  /** Relative to the folder of our modules; its name holds the hash of its content. */
  readonly path: string;
  /** About as many are downloaded: servers may compress in another way. */
  readonly bytes: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  /** For people. */
  readonly title: string;
}

export type AssetName = 'package' | 'clang' | 'headers' | 'z3';

export interface BuildFacts {
  readonly version: string;
  readonly stamp: string;
  readonly clangVersion: string;
  readonly assets: Readonly<Record<AssetName, Asset>>;
}

export const build: BuildFacts = REDZONE_BUILD;
