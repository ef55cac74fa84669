import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { codeOf, isObject } from "../kit/index.ts";
import { parseHttpUrl } from "./env.ts";
import type { Mapping } from "./file.ts";
import { type createEntryReader, isWord, type ProviderField } from "./provider-entry.ts";

/** Keys of a cloud account, which sign each request to Bedrock. */
export type AwsKeys = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only temporary keys have one. */
  readonly sessionToken?: string;
};

/** An account of Google's cloud for programs, as its key file describes it. */
export type ServiceAccount = {
  readonly email: string;
  /** In PEM. */
  readonly privateKey: string;
  readonly keyId?: string;
  readonly tokenUrl: string;
};

type Credentials = {
  readonly apiKey: string | null;
  /** The setting that whoever has to correct them should look at. */
  readonly keyField: ProviderField;
  readonly awsKeys?: AwsKeys;
  readonly serviceAccount?: ServiceAccount;
  /** The service account's own. */
  readonly project?: string;
};

type Sources = {
  readonly entry: Mapping;
  readonly read: ReturnType<typeof createEntryReader>;
  readonly path: string;
  readonly problems: string[];
};

const GOOGLE_TOKEN_URL = "https://oauth2.googleapis.com/token";

/** One way to prove who we are; a second one would be ignored, which nobody expects of a credential. */
export function readCredentials(sources: Sources): Credentials {
  const { entry, read, path, problems } = sources;
  const apiKey = read.apiKey("api_key");
  const ways = (["access_key_id", "service_account_file"] as const).filter(
    (field) => entry[field] !== undefined,
  );
  if (entry["api_key"] !== undefined && ways.length > 0)
    problems.push(`${path}.api_key: must be left out where ${ways.join(" or ")} is set`);
  const awsKeys = readAwsKeys(sources);
  if (awsKeys !== null) return { apiKey: null, keyField: "access_key_id", awsKeys };
  const account = readServiceAccount(sources);
  if (account !== null) return { apiKey: null, keyField: "service_account_file", ...account };
  return { apiKey, keyField: ways[0] ?? "api_key" };
}

function readAwsKeys({ entry, read, path, problems }: Sources): AwsKeys | null {
  const accessKeyId = read.apiKey("access_key_id");
  const secretAccessKey = read.apiKey("secret_access_key");
  const sessionToken = read.apiKey("session_token");
  // It is refused without its token, which is easily forgotten: the other two are all that lasting keys have.
  if (accessKeyId?.startsWith("ASIA") && entry["session_token"] === undefined)
    problems.push(`${path}.session_token: must be set: an access key whose id begins with ASIA is temporary`);
  if (accessKeyId !== null && secretAccessKey !== null)
    return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  const isSet = (field: ProviderField) => entry[field] !== undefined;
  const someAreSet = isSet("access_key_id") || isSet("secret_access_key") || isSet("session_token");
  for (const field of ["access_key_id", "secret_access_key"] as const) {
    if (someAreSet && !isSet(field))
      problems.push(`${path}.${field}: must be set: an access key consists of an id and a secret`);
  }
  return null;
}

type AccountOfFile = Pick<Credentials, "project"> & { readonly serviceAccount: ServiceAccount };

/** Nothing of the file is shown, whatever is wrong with it. */
function readServiceAccount({ entry, path, problems }: Sources): AccountOfFile | null {
  const file = entry["service_account_file"];
  // An empty path comes from a variable that is not set, which has already been reported.
  if (file === undefined || file === "") return null;
  const wrong = (accepts: string) => {
    problems.push(`${path}.service_account_file: ${accepts}`);
    return null;
  };
  if (typeof file !== "string") return wrong("must be the path of a key file");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return wrong(`must name a file that can be read (${codeOf(error) ?? "unknown error"})`);
  }
  return (
    accountOf(text) ??
    wrong("must be the JSON key file of a service account, with client_email and private_key")
  );
}

function accountOf(text: string): AccountOfFile | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
    if (!isObject(content) || content["type"] !== "service_account") return null;
    // The token service takes no other, and not every other could sign at all.
    if (createPrivateKey(String(content["private_key"])).asymmetricKeyType !== "rsa") return null;
  } catch {
    return null;
  }
  const {
    client_email: email,
    private_key: privateKey,
    private_key_id: keyId,
    project_id: project,
  } = content;
  const tokenUrl = parseHttpUrl(String(content["token_uri"] ?? GOOGLE_TOKEN_URL));
  if (typeof email !== "string" || email === "" || typeof privateKey !== "string" || tokenUrl === null)
    return null;
  return {
    serviceAccount: { email, privateKey, tokenUrl, ...(typeof keyId === "string" ? { keyId } : {}) },
    // It becomes a part of the address.
    ...(typeof project === "string" && isWord(project) ? { project } : {}),
  };
}
