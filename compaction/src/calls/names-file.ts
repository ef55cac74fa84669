import { wordsOf } from "./words-of.ts";

/**
 * A key for a file, or a value that is the name of a JSON-like file. What may follow such a name ends where another
 * could start, so that each character is examined only a few times.
 */
const NAMES_FILE =
  /"file(?:s|_?(?:path|name)s?)?"\s*:|\.(?:jsonc?|json5|geojson|ipynb|webmanifest|lock|map|har|tfstate|arb|code-workspace|\w{1,16}rc)(?:\?[^"?#]{0,200})?(?:#[^"?#]{0,200})?"/i;
/** A path with a file extension; others are directories, or resources of a service. */
const PATHS = /"\w{0,32}paths?"\s*:\s*(?:\[\s*)?"([^"]{0,400}\.([a-z][\w-]{0,24}))"/gi;

/** The URL of a service's resource, which may contain dots: `/api/users.info`. */
const ROUTE = /^(?:https?:\/\/(?:api\.|[^/]*\/(?:api|rest|v\d[\w.-]*)\/)|\/(?:api|rest|v\d[\w.-]*)\/)/i;
/** An operation of a service: `/users.list`. */
const ADDRESS = /^(?:https?:\/)?\//i;
const VERB =
  /^(?:add|archive|cancel|count|create|delete|fetch|find|get|invite|join|leave|list|lookup|post|put|query|remove|search|send|set|update|upsert)(?:[A-Z]\w*)?$/;
/** Root directories of machines and of agents' workspaces. */
const ROOT =
  /^\/(?:app|applications|bin|build|code|content|data|dev|etc|github|home|kaggle|lib|library|media|mnt|nix|opt|private|proc|projects?|repos?|root|run|sandbox|source|src|srv|sys|testbed|tmp|users|usr|var|volumes|work|workdir|workspaces?)\//i;
const ENDINGS = wordsOf(
  "adoc asm astro avro avsc bat bib bin bzl c cc cfg cjs clj cls cmake cmd conf cpp cs csproj css csv cts cue dart db dockerfile dot edn ejs el elm env erb erl ex exs f f90 fish fs fsx gd gitignore gltf go gql gradle graphql groovy h haml hbs hcl hpp hs html ini ino ipynb j2 java jl jpg js jsonl jsonnet jsp jsx kt kts less liquid lisp log lua m make md mdx mjs ml mli mm mts ndjson nim nix nu patch pdf php pl plist pm png po pom prisma properties proto ps1 pug py pyi pyx r rake rb resx rmd rs rst sarif sass scala scm scss sh sln sol sql srt sub svelte svg swift tcl tex tf tfvars tmpl toml topojson ts tsbuildinfo tsv tsx txt vb vue wat xaml xcconfig xhtml xlf xml xsd xsl yaml yml zig zsh",
);

/** A log is terminal output, and so is a rotated one. */
const LOG = /\.log(?:\.\d+)?$/;

export function isLog(name: string): boolean {
  return LOG.test(name);
}

/** A URL whose path has a file extension; the dots of the host do not count. */
const LIES_AT = /^https?:\/\/[^/]+\/[^?#]*\.([a-z][\w-]{0,24})(?:[?#]|$)/i;
const ADDRESSES = /"(?:url|uri|href|address)(?:e?s)?"\s*:\s*(?:\[\s*)?"(https?:\/\/[^"]{1,400})"/gi;
/** Nobody edits these as text, or a service generates them for each request; a log is program output. */
const SERVED = wordsOf(
  "avro bin csv db gltf html jpg jsonl jsp log ndjson pdf php png sarif svg topojson tsbuildinfo tsv xhtml xml",
);

export function namesFile(input: string): boolean {
  if (NAMES_FILE.test(input)) return true;
  for (const [, path = "", ending = ""] of input.matchAll(PATHS)) if (isFile(path, ending)) return true;
  return false;
}

/**
 * If in doubt, it is a file. A path from the root of a service counts too, if its extension is a file's or it is
 * below a usual root directory.
 */
function isFile(path: string, ending: string): boolean {
  const isService = ROUTE.test(path) || (ADDRESS.test(path) && VERB.test(ending));
  return !isService || ROOT.test(path) || ENDINGS.has(ending.toLowerCase());
}

/** Whether the arguments of a call contain the URL of a file. */
export function namesFileAddress(input: string): boolean {
  for (const [, address = ""] of input.matchAll(ADDRESSES)) if (isFileAddress(address)) return true;
  return false;
}

export function isFileAddress(address: string): boolean {
  const ending = LIES_AT.exec(address)?.[1]?.toLowerCase() ?? "";
  return ENDINGS.has(ending) && !SERVED.has(ending);
}
