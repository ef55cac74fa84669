import type { Principal } from "../../../identity/index.ts";
import { AppError, messageOf, parseUuid, present } from "../../../kit/index.ts";
import { noSuch } from "../../../operations/index.ts";
import type { CallEndpoint } from "../../context.ts";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { onlyMemberOf } from "../viewer.ts";
import { introduceMember } from "./introduce.ts";
import type { Asked } from "./operation.ts";
import { problemIn } from "./problem.ts";
import { checkSender } from "./sender.ts";

export const PLAY_PATH = "/console/play/";

/** What people can try; the rest of the API is for programs. */
export const PLAY_ENDPOINTS: ReadonlySet<string> = new Set([
  "api-v1-chat",
  "api-v1-images",
  "api-v1-audio",
  "api-v1-video",
]);

/**
 * The playground: calls an endpoint of the API as a program would, except for the key. The call runs under the
 * organization's own console key and is attributed to the signed-in person; everything from checking the body to the
 * charge is done by the endpoint.
 */
export async function answerPlay(
  parts: ConsoleParts,
  ask: Ask,
  { request, callEndpoint }: { readonly request: Request; readonly callEndpoint: CallEndpoint },
): Promise<Response> {
  const name = ask.path.slice(PLAY_PATH.length);
  if (!PLAY_ENDPOINTS.has(name)) throw noSuch("address");
  if (request.method !== "GET") await checkSender(parts, ask, request);
  const asked = await introduceMember(parts, ask);
  if (request.method === "GET") await checkJob(parts, asked);
  const refusals: unknown[] = [];
  const response = callEndpoint(`/functions/v1/${name}`, {
    principal: await principalOf(parts, asked),
    memberUserId: asked.signedIn.userId,
    async askAgain() {
      try {
        return await principalOf(parts, await introduceMember(parts, ask.anew()));
      } catch (why) {
        refusals.push(why);
        throw problemIn(why) ? new AppError("unauthorized", messageOf(why)) : why;
      }
    },
  });
  if (response === null) throw noSuch("address");
  const answer = await response;
  // The endpoint's error is worded for programs: the page gets the console's own error, as if it had been found first.
  if (refusals.length > 0) throw refusals[0];
  return answer;
}

async function principalOf({ identity }: ConsoleParts, { viewer }: Asked["member"]): Promise<Principal> {
  const { organization } = viewer;
  const key = present(await identity.keys.internalOf(organization.id), "the console's own key");
  return {
    organization,
    keyId: key.id,
    scopes: new Set(key.scopes),
    limits: key.limits,
  };
}

/** Members may poll only their own jobs; someone else's job answers as if it did not exist. */
async function checkJob({ usage }: ConsoleParts, { viewer, query }: Asked["member"]): Promise<void> {
  const own = onlyMemberOf(viewer);
  if (own === null) return;
  const id = parseUuid(query.get("request_id") ?? "");
  const receipt = id === undefined ? null : await usage.receipt(viewer.organization.id, id);
  if (receipt?.memberId !== own) throw noSuch("job");
}
