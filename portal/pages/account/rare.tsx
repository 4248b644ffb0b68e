// The pages of accounts that a visitor seldom opens: one file, which others do not load.

export { SignInByMailPage } from "./by-mail.tsx";
export { CallbackPage } from "./callback.tsx";
export { ConfirmPage } from "./confirm.tsx";
export { SignInLinkPage } from "./link.tsx";
export { NewNamePage } from "./new-name.tsx";
export { NewPasswordPage } from "./new-password.tsx";
export { ResetPage } from "./reset.tsx";
export { SetUpPage } from "./set-up.tsx";
export { SignUpPage } from "./sign-up.tsx";
export { SsoPage } from "./sso.tsx";
export { Wanted } from "./wanted.tsx";
