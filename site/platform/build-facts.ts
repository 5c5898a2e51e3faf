/** Data of the build from `scripts/build-site.mjs`, which the bundler substitutes for this name. */
declare const REDZONE_BUILD: BuildFacts;

/** A file of the site that is downloaded when it is first needed, compressed by gzip. */
export interface Asset {
  /** Relative to the folder of our modules; its name holds the hash of its content. */
  readonly path: string;
  /** The approximate size of the download: servers may compress differently. */
  readonly bytes: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  /** The name that users see. */
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
