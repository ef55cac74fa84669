import { type AttackGroup, row } from "./row.ts";

const URLS = "gateway/src/outbound/public/public-url.test.ts";
const COMPANIONS = "gateway/src/http/openai/companion-content.test.ts";
const HANDED = "gateway/src/http/openai/stored-reply.test.ts";
const FETCH = "gateway/src/outbound/public/public-fetch.test.ts";
const REFERENCE = "gateway/src/http/native/reference-media.test.ts";
const DELIVERIES = "gateway/src/outbox/deliveries.test.ts";
const ENDPOINTS = "gateway/src/outbox/endpoints.test.ts";
const LIBRARY = "test/endpoints/library.test.ts";
const STORE = "gateway/src/assets/fs-store.test.ts";
const SAME = "test/endpoints/same-decision.test.ts";
const MEMBERS = "gateway/src/http/console/api/members.test.ts";

export const MEDIA: AttackGroup = {
  name: "D. URLs and media",
  rows: [
    row(
      "internal addresses, in every spelling",
      [
        "gateway/src/outbound/public/public-address.test.ts",
        "IPv4 addresses are judged as by a second, independent implementation",
      ],
      [URLS, "no spelling of an internal address is reached"],
      [URLS, "any URL is refused or leads to a public address over https"],
    ),
    row("`user@host`, other schemes and ports, the gateway's own address", [URLS, "refused by its spelling"]),
    row(
      "host names that resolve to internal addresses, mixed with public ones or only after the check",
      [URLS, "is refused if any of its addresses is internal, in whatever position"],
      [FETCH, "a name that resolves to an internal address after the check is not connected to"],
    ),
    row(
      "internal addresses, and the operator's files, in a chat that is passed to a provider",
      [HANDED, "a local file is refused in parts and items of unknown types"],
      [HANDED, "in a part of chat completions: %s of %j"],
      [COMPANIONS, "%s of %j, in a message or an item"],
      [COMPANIONS, "%s of %j, in the request itself"],
      [COMPANIONS, "with characters that URL parsers ignore: %#"],
      [COMPANIONS, "a field of the wrong name in a call or in a result"],
      [
        "gateway/src/http/openai/media-address.test.ts",
        "is refused if it is a local path, has another scheme or is private, always with the same message",
      ],
    ),
    row(
      "redirects",
      [FETCH, "fails if there are too many or it has no location: %s"],
      [FETCH, "is fetched through three redirects"],
    ),
    row(
      "replies that are too large, slow, endless or decompression bombs",
      [FETCH, "a body that arrives too slowly is a timeout"],
      [FETCH, "an endless chunked body fails at our limit, whatever its content-length"],
    ),
    row(
      "error messages that would reveal what is open inside the network",
      [FETCH, "every failure has the same public message, so that none reveals what is open"],
      [
        "test/endpoints/music.test.ts",
        "at closed, private and loopback addresses all fail with the same message",
      ],
    ),
    row(
      "base64 that is too large or malformed, wrong first bytes, SVG",
      [REFERENCE, "a text that is too long, before it is decoded as base64"],
      [REFERENCE, "refuses"],
    ),
    row("reference media of calls that are refused or repeated, to fill the disk", [
      "gateway/src/jobs/video-faults.test.ts",
      "reference media of a refused or repeated submission are never written",
    ]),
    row(
      "pixel bombs, or HTML as an image, from a provider",
      ["gateway/src/media/image-size.test.ts", "a PNG with too many pixels is detected by its header"],
      ["gateway/src/generation/media/media-check.test.ts", "a provider fails if it makes"],
    ),
    row(
      "media containers that misstate sizes or hold millions of boxes",
      [REFERENCE, "a video without its header, or with a wrong box size"],
      ["gateway/src/media/iso-boxes.test.ts", "a file of three million boxes takes less than a second"],
      ["gateway/src/media/iso-boxes.test.ts", "a picture with more boxes than the limit has no size"],
    ),
    row("files that are valid in two formats (polyglots)", [
      LIBRARY,
      "sends headers that keep a hostile file harmless",
    ]),
    row(
      "asset ids with path traversal, planted symbolic links",
      [STORE, "a key that is not of our own form is refused, so that it cannot be a path"],
      [STORE, "a symbolic link"],
    ),
    row(
      "library URLs that are altered, made up or of deleted assets",
      [LIBRARY, "is not found if altered in any way, and never leads to a path"],
      [LIBRARY, "removes the record, the URL and the object; a second DELETE is not found"],
    ),
    row(
      "odd `Range` headers",
      [LIBRARY, "Range %s is invalid or unsupported: the whole file is sent"],
      [
        "gateway/src/http/library/byte-range.test.ts",
        "a decoded range is within the file for any Range header",
      ],
    ),
    row(
      "a full disk",
      [STORE, "a full disk fails the write and leaves no partial file, and the next write succeeds"],
      [
        "test/faults/library-store.test.ts",
        "refuses the call with a 503, charges nothing and leaves no half file",
      ],
    ),
    row(
      "webhooks to addresses inside, or that redirect there",
      [ENDPOINTS, "inside is for operators, and for a gateway that nobody else can reach"],
      [
        DELIVERIES,
        "inside is not reached by a gateway that others can reach, whatever was registered before",
      ],
      [DELIVERIES, "that redirects is not followed, and that never answers is given up after its time"],
      [FETCH, "is under the guard of every fetch: inside is not reached, by address or by name"],
    ),
    row(
      "webhooks that never answer, by the dozen",
      [
        "gateway/src/jobs/outbox-worker.test.ts",
        "endpoints that never answer do not delay one that does, and hold one delivery each",
      ],
      [ENDPOINTS, "of which there are enough is one too many, also for those who ask at once"],
    ),
    row(
      "forged, altered or replayed deliveries, and a rotated secret",
      [
        "gateway/src/outbox/documented.test.ts",
        "the TypeScript that the page shows believes what was delivered, and nothing else",
      ],
      [DELIVERIES, "whose secret was rotated is signed with both for a day, then with the new one alone"],
    ),
    row(
      "another organization's webhooks, deliveries and events",
      [ENDPOINTS, "of another organization can be neither seen, changed, rotated, removed nor replayed"],
      [DELIVERIES, "gets only the types that it asked for, and nothing of another organization"],
    ),
    row("emails to strangers by a webhook of that kind", [
      ENDPOINTS,
      "by email is for members, and where mail is configured",
    ]),
  ],
};

export const TENANCY: AttackGroup = {
  name: "E. Tenancy",
  rows: [
    row(
      "objects of another organization",
      [
        "test/attacks/every-route.test.ts",
        "assets and jobs of another organization are answered exactly like missing ones",
      ],
      [LIBRARY, "of another organization's asset is answered exactly like a missing one and changes nothing"],
    ),
    row(
      "objects of another organization, in the console",
      [
        "gateway/src/http/console/api/keys.test.ts",
        "members cannot see or change keys; another organization's key is 404 like an unknown one",
      ],
      [MEMBERS, "of other organizations are 404 like unknown ones"],
      [
        "gateway/src/http/console/api/billing.test.ts",
        "another organization's order is answered like one that does not exist",
      ],
    ),
    row("`X-Member-User-Id` of someone who is not, or no longer, a member", [
      "test/route-suite.test.ts",
      "refuses a member id that is %s",
    ]),
    row(
      "hidden models by id, alias, changed case, added blanks or prefix",
      [SAME, "for the model %j"],
      ["gateway/src/catalog/resolve.test.ts", "does not resolve by the similar id %j"],
    ),
    row(
      "one interface more lenient than the other",
      [SAME, "for every bad key, and for every scope"],
      [SAME, "for every balance and limit, with the same numbers in the 402"],
    ),
    row(
      "raising one's own role, inviting owners",
      [MEMBERS, "may be changed by admins unless they are owners, and nobody can promote themselves"],
      ["gateway/src/http/console/api/invitations.test.ts", "cannot be accepted with another role"],
      ["gateway/src/identity/invitations/invitations.test.ts", "by an %s for an %s is %s"],
    ),
    row("invitations used twice", [
      "gateway/src/identity/invitations/invitations.test.ts",
      "admits a newcomer once, with the offered role, however many accept it concurrently",
    ]),
    row("the last owner leaving", [
      "gateway/src/identity/members/members.test.ts",
      "two owners who leave concurrently leave one behind",
    ]),
    row("rotating or revoking keys of another organization", [
      "gateway/src/identity/keys/keys.test.ts",
      "can be neither rotated nor revoked, and is answered like one that does not exist",
    ]),
    row(
      "another organization's video job",
      ["gateway/src/jobs/video-jobs.test.ts", "is not visible to another organization"],
      [
        "test/attacks/every-route.test.ts",
        "assets and jobs of another organization are answered exactly like missing ones",
      ],
    ),
  ],
};
