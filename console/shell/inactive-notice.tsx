import { useSigned } from "../api/session.ts";
import { Notice } from "../parts/states.tsx";

/** Shown above every page, since no call works. */
export function InactiveNotice() {
  const { organization, administers } = useSigned();
  if (organization.isActive) return null;
  return (
    <div className="shell-notice">
      <Notice look="bad">
        <strong>{organization.name} is inactive.</strong> Every call is refused. The operator of this Bursar
        can reactivate it{administers ? REACTIVATED : "."}
      </Notice>
    </div>
  );
}

const REACTIVATED =
  "; a paid plan still ends after the month already paid for, unless an owner then chooses to stay with it under Billing.";
