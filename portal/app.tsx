import type { JSX } from "preact";
import lazy from "preact-iso/lazy";
import { exec, LocationProvider, Route, Router } from "preact-iso/router";
import type { Failure } from "./api.ts";
import { loadFile, loadPageAnew } from "./load-file.ts";
import { ListPage } from "./pages/list/list.tsx";
import { PostPage } from "./pages/post.tsx";
import { NotFound, UntilSignedIn, Waiting } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";
import { TOKEN, token } from "./session.ts";
import { ofBrowser } from "./store.ts";
import { t } from "./text.ts";

type Page = (props: { hint?: string }) => JSX.Element;
type Rare = Omit<typeof import("./pages/account/rare.tsx"), "Wanted">;

/** What stands in the place of a page that could not be loaded. */
function Unloaded({ failure }: { failure: Failure }) {
  const again = async () => {
    // Without a connection the browser would show its own page.
    if (!navigator.onLine) throw failure;
    loadPageAnew();
  };
  return <Waiting failure={failure} again={again} />;
}

/** A page that is loaded when it is opened first. */
function later(load: () => Promise<Page>) {
  return lazy(() => loadFile(load).catch((failure: Failure) => () => <Unloaded failure={failure} />));
}

const SignInPage = later(async () => (await import("./pages/account/sign-in.tsx")).SignInPage);

/**
 * What a page of accounts begins with for everybody: for a visitor the sign-in, or grey lines where style.css knows of
 * a session.
 */
function SignInFirst() {
  return (
    <>
      <UntilSignedIn />
      <SignInPage hint={t("signInToSee")} />
    </>
  );
}

/** A page that visitors do not load: in its place they see the sign-in. */
function ofAccounts(load: () => Promise<{ default: Page }>) {
  const Loaded = later(async () => (await load()).default);
  const preload = () => Promise.all([SignInPage.preload(), ofBrowser.get(TOKEN) && Loaded.preload()]);
  return Object.assign(() => (token.value ? <Loaded /> : <SignInFirst />), { preload });
}

function rare(name: keyof Rare) {
  return later(async () => (await import("./pages/account/rare.tsx"))[name]);
}

const OwnPostsPage = ofAccounts(() => import("./pages/own-posts.tsx"));

/** The pages by their addresses. */
const PAGES = {
  "/": ListPage,
  "/boards/:url": ListPage,
  "/posts/:slug": PostPage,
  "/posts/:slug/voters": later(async () => (await import("./pages/voters.tsx")).VotersPage),
  "/roadmap": later(async () => (await import("./pages/roadmap.tsx")).RoadmapPage),
  "/new": later(async () => (await import("./pages/new-post.tsx")).NewPostPage),
  "/my/posts": OwnPostsPage,
  "/my/votes": OwnPostsPage,
  "/my/follows": OwnPostsPage,
  "/sign-in": SignInPage,
  "/sign-in/mail": rare("SignInByMailPage"),
  "/sign-in/link": rare("SignInLinkPage"),
  "/sign-in/callback": rare("CallbackPage"),
  "/sign-in/sso": rare("SsoPage"),
  "/sign-in/name": rare("NewNamePage"),
  "/sign-up": rare("SignUpPage"),
  "/setup": rare("SetUpPage"),
  "/password-reset": rare("ResetPage"),
  "/password-reset/confirm": rare("NewPasswordPage"),
  "/email-verify": rare("ConfirmPage"),
  "/profile": ofAccounts(() => import("./pages/account/profile.tsx")),
  "/profile/password": ofAccounts(() => import("./pages/account/own-password.tsx")),
  "/profile/two-factor": ofAccounts(() => import("./pages/account/two-factor.tsx")),
  "/profile/delete": ofAccounts(() => import("./pages/account/leaving.tsx")),
  "/manage/:part?/:id?": ofAccounts(() => import("./pages/manage.tsx")),
};

/** Loads the pages at an address, or all, before they are rendered: neither the server nor a first rendering waits. */
export async function loadPages(address?: string): Promise<void> {
  for (const [path, page] of Object.entries(PAGES)) {
    const isWanted = address === undefined || exec(address, path);
    if (isWanted && "preload" in page) await page.preload();
  }
}

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
