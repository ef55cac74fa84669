import { randomBytes } from "node:crypto";
import { HOUR_MS, newId, type Sealer } from "../kit/index.ts";
import { checkUrl } from "../outbound/index.ts";
import { EVENT_TYPES, OPERATORS } from "./events.ts";
import { SECRET_PREFIX } from "./send.ts";
import {
  deleteEndpoint,
  type Endpoint,
  type EndpointKind,
  type EndpointRef,
  insertEndpoint,
  isMembersEmail,
  loadEndpoint,
  loadEndpoints,
  type Queryable,
  saveEndpoint,
  saveReplay,
  saveSecret,
  saveTestEvent,
} from "./store.ts";

/** Of an organization, beside that of its owners. */
export const MAX_ENDPOINTS = 20;
const MAX_ADDRESS_CHARACTERS = 2_000;
/** After a rotation, both secrets sign for this long. */
const GRACE_MS = 24 * HOUR_MS;
const EMAIL = /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,190}$/;
/** Of one request; who wants more asks again from where these end. */
const MAX_REPLAYED = 10_000;

/** address: not one that may be written to. member: only members' addresses get emails. */
type EndpointRefusal = "too_many" | "address" | "member" | "types" | "no_mail";

/** With the secret that signs what it gets, which is shown once; null where nothing is signed. */
export type MintedEndpoint = { readonly endpoint: Endpoint; readonly secret: string | null };

export type Endpoints = {
  create(
    client: Queryable,
    input: { orgId: string; kind: EndpointKind; address: string; types: readonly string[] },
  ): Promise<MintedEndpoint | EndpointRefusal>;
  list(client: Queryable, orgId: string): Promise<Endpoint[]>;
  /** Undefined: there is none. */
  find(client: Queryable, ref: EndpointRef): Promise<Endpoint | undefined>;
  update(
    client: Queryable,
    ref: EndpointRef,
    change: { types?: readonly string[] | undefined; paused?: boolean | undefined },
  ): Promise<Endpoint | "types" | undefined>;
  /** Undefined: there is none, or its deliveries are not signed. */
  rotate(client: Queryable, ref: EndpointRef): Promise<MintedEndpoint | undefined>;
  remove(client: Queryable, ref: EndpointRef): Promise<Endpoint | undefined>;
  /** Sends it an event of no meaning. */
  test(client: Queryable, ref: EndpointRef): Promise<void>;
  /** Delivers an event again, or all since a time, and says how many. */
  replay(client: Queryable, ref: EndpointRef, what: { eventId: string } | { since: Date }): Promise<number>;
};

/** Who is told, and where. Each takes part in its caller's transaction. */
export function createEndpoints(deps: {
  readonly sealer: Sealer;
  readonly hasMail: boolean;
  readonly isLocal: boolean;
  readonly ownHosts: readonly string[];
}): Endpoints {
  const { sealer, hasMail, isLocal } = deps;
  const ownHosts = new Set(deps.ownHosts);

  /** What is shown of an address; null if it is none. */
  function shownOf(kind: EndpointKind, orgId: string, address: string): string | null {
    if (address.length > MAX_ADDRESS_CHARACTERS) return null;
    if (kind === "email") return EMAIL.test(address) ? address : null;
    const host = URL.parse(address)?.host ?? "";
    const allowedHosts = new Set(isLocal || orgId === OPERATORS ? [host] : []);
    try {
      return checkUrl(address, { allowedHosts, ownHosts }).url.host;
    } catch {
      return null;
    }
  }

  return {
    async create(client, { orgId, kind, address, types }) {
      if (!types.every(isKnown)) return "types";
      if (kind === "email" && !hasMail) return "no_mail";
      const host = shownOf(kind, orgId, address);
      if (host === null) return "address";
      // Else anybody could have emails sent to anybody.
      if (kind === "email" && orgId !== OPERATORS && !(await isMembersEmail(client, orgId, address)))
        return "member";
      const id = newId();
      const secret = kind === "webhook" ? newSecret() : null;
      const sealed = { address: sealer.seal(address, id), secret: secret && sealer.seal(secret, id) };
      const endpoint = await insertEndpoint(
        client,
        { id, orgId, kind, host, types, ...sealed },
        MAX_ENDPOINTS,
      );
      return endpoint ? { endpoint, secret } : "too_many";
    },
    list: loadEndpoints,
    find: loadEndpoint,
    async update(client, ref, change) {
      return (change.types ?? []).every(isKnown) ? saveEndpoint(client, ref, change) : "types";
    },
    async rotate(client, ref) {
      const secret = newSecret();
      const endpoint = await saveSecret(client, ref, sealer.seal(secret, ref.id), GRACE_MS);
      return endpoint && { endpoint, secret };
    },
    remove: deleteEndpoint,
    test: saveTestEvent,
    replay: (client, ref, what) =>
      saveReplay(client, ref, { eventId: null, since: null, ...what, most: MAX_REPLAYED }),
  };
}

const isKnown = (type: string) => (EVENT_TYPES as readonly string[]).includes(type);

function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString("base64")}`;
}
