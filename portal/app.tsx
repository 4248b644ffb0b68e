import type { JSX } from "preact";
import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import type { Failure } from "./api.ts";
import { loadFile } from "./load-file.ts";
import { SignInByMailPage } from "./pages/account/by-mail.tsx";
import { CallbackPage } from "./pages/account/callback.tsx";
import { ConfirmPage } from "./pages/account/confirm.tsx";
import { SignInLinkPage } from "./pages/account/link.tsx";
import { NewPasswordPage } from "./pages/account/new-password.tsx";
import { ResetPage } from "./pages/account/reset.tsx";
import { SetUpPage } from "./pages/account/set-up.tsx";
import { SignInPage } from "./pages/account/sign-in.tsx";
import { SignUpPage } from "./pages/account/sign-up.tsx";
import { ListPage } from "./pages/list.tsx";
import { NewPostPage } from "./pages/new-post.tsx";
import { OwnPostsPage } from "./pages/own-posts.tsx";
import { PostPage } from "./pages/post.tsx";
import { RoadmapPage } from "./pages/roadmap.tsx";
import { NotFound, Problem } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";
import { token } from "./session.ts";

type Loaded = { default: () => JSX.Element };

/** A page that visitors do not load: in its place they see the sign-in. */
function ofAccounts(load: () => Promise<Loaded>) {
  const Page = lazy(() =>
    loadFile(load).catch((failure: Failure) => ({
      default: () => <Problem failure={failure} again={() => location.reload()} />,
    })),
  );
  return () => (token.value ? <Page /> : <SignInPage />);
}

const TeamPage = ofAccounts(() => import("./pages/manage.tsx"));
const TwoFactorPage = ofAccounts(() => import("./pages/account/two-factor.tsx"));
const ProfilePage = ofAccounts(() => import("./pages/account/profile.tsx"));

/** The pages by their addresses. */
const PAGES = {
  "/": ListPage,
  "/boards/:url": ListPage,
  "/posts/:slug": PostPage,
  "/roadmap": RoadmapPage,
  "/new": NewPostPage,
  "/my/:tie": OwnPostsPage,
  "/sign-in": SignInPage,
  "/sign-in/mail": SignInByMailPage,
  "/sign-in/link": SignInLinkPage,
  "/sign-in/callback": CallbackPage,
  "/sign-up": SignUpPage,
  "/setup": SetUpPage,
  "/password-reset": ResetPage,
  "/password-reset/confirm": NewPasswordPage,
  "/email-verify": ConfirmPage,
  "/profile": ProfilePage,
  "/profile/two-factor": TwoFactorPage,
  "/manage/:part?": TeamPage,
};

export function App({ url }: { url?: string }) {
  return (
    // On the server there is no address bar.
    <LocationProvider {...(url !== undefined && { url })}>
      <Layout>
        <Router>
          {Object.entries(PAGES).map(([path, component]) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Layout>
    </LocationProvider>
  );
}
