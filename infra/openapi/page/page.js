// The reference: Swagger UI, and a form that signs in. Every call of the page goes to the API, and to no other host.

// Swagger UI has colours for the dark, and leaves it to the page when to show them.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const form = document.getElementById("sign-in");
const said = form.querySelector("output");

/** Makes all further calls with a token. */
const use = (token, text) => {
  ui.preauthorizeApiKey("bearer", token);
  said.value = text;
};

// The button that unfolds an endpoint must have no link and no button in it. There is one server to choose from.
const textOf = ({ text }) => text;
const nothing = () => null;
const withoutNested = {
  wrapComponents: {
    DeepLink: () => textOf,
    CopyToClipboardBtn: () => nothing,
    ServersContainer: () => nothing,
  },
};

const ui = SwaggerUIBundle({
  url: "openapi.json",
  domNode: document.getElementById("reference"),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [withoutNested],
  layout: "BaseLayout",
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // Who signs up, sets the site up or logs in by a call of the page is signed in to it.
  responseInterceptor: (response) => {
    const user = response.body?.user ?? response.obj?.user;
    if (response.ok && user?.authToken) use(user.authToken, `Signed in as ${user.name}`);
    return response;
  },
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  said.value = "";
  try {
    const base = ui.specSelectors.specJson().getIn(["servers", 0, "url"]);
    const response = await fetch(`${base}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const { user, message } = await response.json();
    if (response.ok) use(user.authToken, `Signed in as ${user.name}`);
    else said.value = message;
  } catch {
    said.value = "The API does not answer";
  }
});
