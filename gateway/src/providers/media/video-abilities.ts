import { ProviderFailure, type VideoRequest, type VideoTask } from "../../contract/index.ts";

/** What a vendor supports in a video request. */
type VideoAbilities = {
  readonly tasks: readonly VideoTask[];
  readonly takesVideo?: boolean;
  readonly takesAudio?: boolean;
  readonly takesSeed?: boolean;
  /** Can drop the sound of a reference video. */
  readonly leavesSoundOut?: boolean;
};

/** Refuses whatever would otherwise be ignored silently: the caller pays for what was asked. */
export function refuseUnsupported(request: VideoRequest<unknown>, can: VideoAbilities): void {
  if (!can.tasks.includes(request.task)) throw rejected(`This model cannot do ${request.task}.`);
  if (request.draft) throw rejected("This model makes no drafts.");
  if (request.seed !== null && can.takesSeed === false) throw rejected("This model takes no seed.");
  if (request.referenceVideo !== null && !can.takesVideo) {
    throw rejected("This model takes no reference video.");
  }
  if (request.referenceVideo !== null && !request.keepAudio && !can.leavesSoundOut) {
    throw rejected("This model cannot leave out the sound of the reference video.");
  }
  if (request.referenceAudio !== null && !can.takesAudio) {
    throw rejected("This model takes no reference audio.");
  }
}

/**
 * For vendors of many models, each of which uses an image in one way only: a request cannot say whether the video
 * begins with it or only shows what is in it.
 */
export function tasksOfMany({ referenceImage }: VideoRequest<unknown>): readonly VideoTask[] {
  const tasks: readonly VideoTask[] = ["text_to_video", "image_to_video", "edit"];
  return referenceImage === null ? [...tasks, "reference_to_video"] : tasks;
}

function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}
