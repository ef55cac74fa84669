import { Door } from "./door.tsx";

export function SignUpPage() {
  return <Door title="SignUp">{null}</Door>;
}
