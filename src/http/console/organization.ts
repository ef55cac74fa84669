import { notFound } from "./errors.ts";
import type { ConsoleParts } from "./parts.ts";
import { redirectReply } from "./reply.ts";
import type { Route } from "./route.ts";

/** Another organization of the same person. One they do not belong to answers like one that does not exist. */
export function organizationRoute({ accounts, identity }: ConsoleParts): Route {
  return {
    path: /^\/console\/organization$/,
    show: async () => redirectReply("/console"),
    submit: {
      from: "session",
      async run({ form, signedIn }) {
        const wanted = form.field("organization");
        const id = (await identity.members.organizationIdsOf(signedIn.userId)).find((one) => one === wanted);
        if (id === undefined) throw notFound();
        await accounts.chooseOrganization(signedIn, id);
        return redirectReply("/console");
      },
    },
  };
}
