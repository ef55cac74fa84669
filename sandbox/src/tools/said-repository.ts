import { hasAny } from "../fill/identifier.ts";
import type { Reader } from "./argument.ts";

const REPOSITORY =
  /(?<=\b(?:in|of|from|on|for|to|repo|repository) )([\w-]{1,40})\/([\w.-]{0,60}\w)(?![\w/])/i;
const REPOSITORIES = new Set(["repo", "repository"]);
const OWNERS = new Set(["owner", "org", "organization", "organisation"]);

/** "acme/web": the whole, or owner and name if each has its own argument. */
export const saidRepository: Reader = ({ words }, { parameters, look }) => {
  const isParted = parameters.some((each) => hasAny(each.words, OWNERS));
  const [isOwner, isRepository] = [hasAny(words, OWNERS), hasAny(words, REPOSITORIES)];
  if (!isRepository && !(isOwner && parameters.some((each) => hasAny(each.words, REPOSITORIES))))
    return undefined;
  const [whole = "", owner = "", name = ""] = look.first(REPOSITORY) ?? [];
  if (whole === "") return undefined;
  return [isOwner ? owner : isParted ? name : whole];
};
