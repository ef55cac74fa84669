import { assetUrl } from "../../assets/index.ts";
import type { VideoView } from "../../generation/index.ts";
import { AppError, invalid, parseUuid } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { videoPollReplySchema } from "./video-schema.ts";

/** A provider is asked less often: its answer is at most a little later. */
const POLL_EVERY_SECONDS = 2;

export function videoPollRoute({ settings, video }: Pick<HttpDeps, "settings" | "video">): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "GET",
    path: "/functions/v1/api-v1-video",
    scope: "video",
    spends: false,
    bodyLimitBytes: null,
    docs: {
      operationId: "getVideo",
      summary: "Video job",
      description:
        "Reports the status of a job. Polling only reads: it changes nothing, and a job is charged once, however often it is polled. While the job runs, `Retry-After` says when to poll again.",
      parameters: [
        {
          name: "request_id",
          in: "query",
          required: true,
          description: "The request_id of the submit reply.",
          schema: { type: "string", format: "uuid" },
        },
      ],
      isPoll: true,
      reply: videoPollReplySchema,
    },
    decode({ query }) {
      const given = query.text("request_id");
      if (given === null || given === "")
        throw invalid("request_id", "must be the request_id of a submit reply");
      return { jobId: parseUuid(given) };
    },
    resolve: (fields) => fields,
    async handle({ requestId, principal: { organization } }, { jobId }) {
      const view = jobId === undefined ? null : await video.find(organization.id, jobId);
      if (view === null) throw noSuchJob();
      const response = jsonReply(requestId, pollReply(view, settings.publicUrl));
      if (view.status === "processing") response.headers.set("retry-after", String(POLL_EVERY_SECONDS));
      return response;
    },
  });
}

/** One answer for jobs that never existed, jobs of other organizations and malformed ids. */
function noSuchJob(): AppError {
  return new AppError("validation_error", "request_id: no such video job", {
    status: 404,
    field: "request_id",
  });
}

/** Fields that do not apply yet, or no longer, are left out. */
function pollReply(
  { requestId, status, model, providerStatus, estimate, asset, charge }: VideoView,
  publicUrl: string,
) {
  return {
    request_id: requestId,
    status,
    model,
    ...(asset === null ? {} : { video_url: assetUrl(publicUrl, asset) }),
    provider_status: providerStatus,
    ...(status === "processing" ? { credits_estimate: estimate } : {}),
    ...(charge === null
      ? {}
      : {
          credits_charged: charge.credits,
          balance: { subscription: charge.subscription, anytime: charge.anytime },
        }),
  };
}
