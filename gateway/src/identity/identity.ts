import type pg from "pg";
import type { Database } from "../db/index.ts";
import { type Clock, parseUuid } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import {
  type Authenticator,
  createAuthenticator,
  type RememberedKey,
} from "./authentication/authenticator.ts";
import { databaseUnreachable } from "./authentication/database-unreachable.ts";
import { createFreshness, type Freshness } from "./authentication/freshness.ts";
import { createKeyGuard, type KeyGuard } from "./authentication/key-guard.ts";
import { createOrganizationCache, type OrganizationCache } from "./authentication/organization-cache.ts";
import { loadMembership } from "./authentication/store.ts";
import { noVersionWatch, startVersionWatch } from "./authentication/version-watch.ts";
import { forgetExpired } from "./expired-store.ts";
import { createInvitations, type Invitations } from "./invitations/invitations.ts";
import { createKeyCodec } from "./keys/key-codec.ts";
import { createKeys, type Keys } from "./keys/keys.ts";
import { createLastUsed } from "./keys/last-used.ts";
import { createLinks, type Links } from "./links/links.ts";
import { createMembers, type Members } from "./members/members.ts";
import { createManagementKeys, type ManagementKeys } from "./operators/management-keys.ts";
import { createOperators, type Operators } from "./operators/operators.ts";
import { createOrganizations, type Organizations } from "./organizations/organizations.ts";
import { createPeople, type People } from "./people.ts";

type Membership = {
  /**
   * Whether a user belongs to an organization, under the same rule of trust as keys. Only a yes is remembered, so a
   * person who was just added is never refused. Text that is not a UUID causes no query.
   */
  isMember(organizationId: string, userId: string): boolean | Promise<boolean>;
};

function createMembership(deps: {
  pool: pg.Pool;
  cache: OrganizationCache<true>;
  freshness: Freshness;
}): Membership {
  const { pool, cache, freshness } = deps;

  async function ask(membership: { organizationId: string; userId: string }, key: string): Promise<boolean> {
    const loaded = await loadMembership(pool, membership).catch((error) => {
      throw databaseUnreachable(error);
    });
    if (loaded.isMember && loaded.version >= freshness.version) {
      cache.set({ organizationId: membership.organizationId, key, value: true });
    }
    return loaded.isMember;
  }

  return {
    isMember(organizationId, userIdText) {
      const userId = parseUuid(userIdText);
      if (userId === undefined) return false;
      const key = `${organizationId}/${userId}`;
      if (freshness.trusted() && cache.get(key)) return true;
      return ask({ organizationId, userId }, key);
    },
  };
}

/** What can be changed, on one database or inside one transaction. */
export type IdentityNouns = {
  readonly keys: Keys;
  readonly organizations: Organizations;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly people: People;
  readonly managementKeys: ManagementKeys;
  readonly operators: Operators;
};

export type Identity = Omit<IdentityNouns, "members"> & {
  authenticate: Authenticator["authenticate"];
  readonly keyGuard: KeyGuard;
  readonly members: Members & Membership & { redeemLink: Links["redeem"]; endLinks: Links["end"] };
  /** The same nouns inside a transaction. */
  on(db: Database): IdentityNouns;
  /** Fetches changes and the database's time now, instead of at the next beat. */
  refresh(): Promise<void>;
  /** Deletes sessions, invitations and links that expired more than a day ago; run by the schedule. */
  forgetExpired(): Promise<void>;
  /** Writes what is still in memory and closes its own connection; the database itself stays open. */
  close(): Promise<void>;
};

type IdentityOptions = {
  db: Database;
  log: Log;
  keyPrefix: string;
  clock: Clock;
  /** False for administrative commands: no separate connection, nothing cached. */
  watch?: boolean;
};

const MAX_REMEMBERED_KEYS = 50_000;
const MAX_REMEMBERED_MEMBERS = 100_000;

/** `svc_live_` becomes `svc_mgmt_`; any other prefix gets `mgmt_` behind it. */
function managementPrefixOf(keyPrefix: string): string {
  return `${keyPrefix.replace(/(?<=_)live_$/, "")}mgmt_`;
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { db, log, clock, watch: watches = true } = options;
  const { pool } = db;
  const codec = createKeyCodec(options.keyPrefix);
  const knownKeys = createOrganizationCache<RememberedKey>(MAX_REMEMBERED_KEYS);
  const knownMembers = createOrganizationCache<true>(MAX_REMEMBERED_MEMBERS);
  const freshness = createFreshness({
    clock,
    evict(organizationId) {
      knownKeys.evict(organizationId);
      knownMembers.evict(organizationId);
    },
    forget() {
      knownKeys.clear();
      knownMembers.clear();
    },
  });
  const managementCodec = createKeyCodec(managementPrefixOf(options.keyPrefix));
  function on(place: Database): IdentityNouns {
    return {
      keys: createKeys({ db: place, codec }),
      organizations: createOrganizations({ db: place }),
      members: createMembers({ db: place, links: createLinks({ db: place }) }),
      invitations: createInvitations({ db: place }),
      people: createPeople({ db: place }),
      managementKeys: createManagementKeys({ db: place, codec: managementCodec }),
      operators: createOperators({ db: place }),
    };
  }
  const nouns = on(db);
  const lastUsed = createLastUsed({ pool, log, clock });
  const links = createLinks({ db });
  const watch = watches ? await startVersionWatch({ db, freshness, log }) : noVersionWatch;

  return {
    ...createAuthenticator({ pool, codec, cache: knownKeys, freshness, lastUsed, clock }),
    keyGuard: createKeyGuard({ clock }),
    ...nouns,
    on,
    members: {
      ...nouns.members,
      ...createMembership({ pool, cache: knownMembers, freshness }),
      redeemLink: links.redeem,
      endLinks: links.end,
    },
    refresh: watch.refresh,
    forgetExpired: () => forgetExpired(db),
    async close() {
      await watch.close();
      await lastUsed.close();
    },
  };
}
