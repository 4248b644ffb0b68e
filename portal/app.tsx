import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { type Failure, token } from "./api.ts";
import { loadFile } from "./load-file.ts";
import * as account from "./pages/account.tsx";
import { ListPage } from "./pages/list.tsx";
import { NewPostPage } from "./pages/new-post.tsx";
import { PostPage } from "./pages/post.tsx";
import { RoadmapPage } from "./pages/roadmap.tsx";
import { NotFound, Problem } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";

/** Loaded by the team only. */
const ManagePage = lazy(() =>
  loadFile(() => import("./pages/manage.tsx")).catch((failure: Failure) => ({
    default: () => <Problem failure={failure} again={() => location.reload()} />,
  })),
);

function TeamPage() {
  return token.value ? <ManagePage /> : <account.SignInPage />;
}

/** The pages by their addresses. */
export const PAGES = {
  "/": ListPage,
  "/posts/:slug": PostPage,
  "/roadmap": RoadmapPage,
  "/new": NewPostPage,
  "/sign-in": account.SignInPage,
  "/sign-up": account.SignUpPage,
  "/setup": account.SetUpPage,
  "/password-reset": account.ResetPage,
  "/password-reset/confirm": account.NewPasswordPage,
  "/email-verify": account.ConfirmPage,
  "/profile": account.ProfilePage,
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
