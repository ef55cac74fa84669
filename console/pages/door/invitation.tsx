import { Door } from "./door.tsx";

export function InvitationPage({ token }: { token: string }) {
  return <Door title="Invitation">{token}</Door>;
}
