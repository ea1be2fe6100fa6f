/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are no release, or are one no longer: refused in a sentence that names the field or
   the line. */
#include "release_text.h"

#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true /* its own memory is far above any limit */
#else
#define SANITIZED false
#endif

/* golden with the first `old` replaced; says which field the sentence must name. */
typedef struct change {
    const char *old, *new, *field;
} change;

static size_t kinds; /* of bad files so far */

static void refuse_all(const change *changes, size_t count)
{
    char text[8192];

    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(golden, changes[i].old);
        tacit_model *model = (tacit_model *)text;
        MUST(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - golden), golden, changes[i].new,
                 at + strlen(changes[i].old));
        const tacit_status status = read_text(text, strlen(text), &model);
        const char *sentence = strstr(tacit_ctx_message(ctx), "model.json");
        CHECK(status == TACIT_E_FORMAT && model == NULL && sentence != NULL &&
                  says(changes[i].field),
              "%s", sentence == NULL ? changes[i].field : sentence);
    }
    kinds += count;
}

static void test_other_kinds(void)
{
    static const change changes[] = {
        {"\"release\"", "\"plan\"", "field tacit"},
        {"\"release\"", "1", "field tacit"},
        {"\"tacit\"", "\"tacti\"", "field tacit"},
        {"\"format\": 7", "\"format\": 8", "newer"},
        {"\"format\": 7", "\"format\": 4", "field format"},
        {"\"format\": 7", "\"format\": 3", "field format"},
        {"\"format\": 7", "\"format\": \"2\"", "field format"},
        {"\"format\": 7", "\"format\": 0", "field format"},
        {"\"format\": 7", "\"format\": 7.0", "field format"},
        {"\"format\": 7", "\"format\": 1", "field spread"},
        {"\"format\": 7", "\"format\": 5", "field spread"},
        {"\"spread\"", "\"spreads\"", "field spread"},
        {"[8.5, 1.5]", "[8.5]", "field spread[0]"},
        {"[8.5, 1.5]", "[-8.5, 1.5]", "field spread[0][0]"},
        {"    [8.5, 1.5],\n    [2, null]\n", "", "field spread_noise_sd"},
        {"[0.75, 0.125]", "[0.75, -1]", "field spread_noise_sd[0][1]"},
        {"\"mean\": [42, 3]", "\"mean\": [42]", "field overall.mean"},
        {"\"mean\": [42, 3]", "\"mean\": []", "field overall.mean_noise_sd"},
        {"\"mean\": [42, 3]", "\"mean\": [42, null]", "field overall.mean[1]"},
        {"\"sd\": [10, null]", "\"sd\": [-1, null]", "field overall.sd[0]"},
        {"\"sd\": [10, null]", "\"sd\": [10, null], \"tail\": 1", "field overall.tail"},
        {"\"column\": \"age\"", "\"column\": \"Age\"", "field distinct[1][0].column"},
        {"\"above\"", "\"beside\"", "field distinct[1][0].direction"},
        {"\"strength\": 2.75", "\"strength\": -1", "field distinct[1][0].strength"},
        {"\"strength\": 2.75", "\"strength\": 0.25", "field distinct[1][1].strength"},
        {"    [],\n    [{", "    [{", "field distinct"},
        {"\"ledger\": false", "\"ledger\": true, \"ledger_run\": \"abc\"",
         "field privacy.ledger_run"},
        {"\"ledger\": false",
         "\"ledger\": false, \"ledger_run\": \"0123456789abcdef0123456789abcdef\"",
         "field privacy.ledger_run"},
        {"kmeans", "kmedoids", "field family"},
        {"\"kmeans\"", "3", "field family"},
        {"kmeans", "kmedian\", \"familie\": \"x", "field familie"},
        {"kmeans", "kmean", "field family"},
        {"\"lloyd\"", "\"\"", "field method"},
        {"\"lloyd\"", "null", "field method"},
        {"\"lloyd\"", "\"a\\u001b[31m\"", "field method"},
        {"\"lloyd\"",
         "\"a\xc2\x9b"
         "31m\"",
         "field method"},
        {"\"lloyd\"", "\"\\u202edyoll\"", "field method"},
        {"\"lloyd\"", "\"\\u2066lloyd\"", "field method"},
        {"\"lloyd\"", "\"ll\\u2028oyd\"", "field method"},
        {"\"lloyd\"", "\"\\ufeff\"", "field method"},
        {"\"lloyd\"", "\"\\udb40\\udc41lloyd\"", "field method"},
        {"Lloyd round 1", "Lloyd\\u0085round", "field privacy.queries[1].what"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_shape(void)
{
    static const change changes[] = {
        {"\"k\": 2", "\"k\": 3", "field centers"},
        {"\"k\": 2", "\"k\": 1", "field centers"},
        {"\"k\": 2", "\"k\": 0", "field k"},
        {"\"k\": 2", "\"k\": -2", "field k"},
        {"\"k\": 2", "\"k\": 2.0", "field k"},
        {"\"k\": 2", "\"k\": 1000001", "field k"},
        {"\"k\": 2", "\"k\": 1000000", "field centers"},
        {"\"k\": 2", "\"k\": 99999999999999999999", "too large"},
        {"\"k\": 2", "\"k\": \"2\"", "field k"},
        {"\"rounds\": 7", "\"rounds\": -1", "field rounds"},
        {"\"rounds\": 7", "\"rounds\": 4294967297", "field rounds"},
        {"[\"age\", \"stay\"]", "[\"age\"]", "field centers[0]"},
        {"[\"age\", \"stay\"]", "[]", "field columns"},
        {"[\"age\", \"stay\"]", "\"age\"", "field columns"},
        {"[\"age\", \"stay\"]", "[\"age\", 2]", "field columns[1]"},
        {"[41.5, 3.25]", "[41.5]", "field centers[0]"},
        {"[70, 0.1]", "[70, 0.1, 1]", "field centers[1]"},
        {"[70, 0.1]", "7", "field centers[1]"},
        {"[70, 0.1]", "[70, null]", "field centers[1][1]"},
        {"[70, 0.1]", "[\"70\", 0.1]", "field centers[1][0]"},
        {"[70, 0.1]", "[NaN, 0.1]", "line 11"},
        {"[70, 0.1]", "[Infinity, 0.1]", "line 11"},
        {"[70, 0.1]", "[1e999, 0.1]", "line 11"},
        {"[70, 0.1]", "[0x10, 0.1]", "line 11"},
        {"[70, 0.1]", "[70, 0.1],", "line 12"},
        {"[0.5, 0.25]", "[0.5, -0.25]", "field centers_noise_sd[0][1]"},
        {"[0.5, 0.25]", "[0.5]", "field centers_noise_sd[0]"},
        {"[0.5, 0.25]", "{}", "field centers_noise_sd[0]"},
        {"[510.5, -3]", "[510.5]", "field sizes"},
        {"[510.5, -3]", "[510.5, true]", "field sizes[1]"},
        {"[510.5, -3]", "5", "field sizes"},
        {": 12.3", ": -12.3", "field sizes_noise_sd"},
        {": 12.3", ": \"12.3\"", "field sizes_noise_sd"},
        {": 12.3", ": [null]", "field sizes_noise_sd"},
        {"[0.5, 0.25]", "[null, \"?\"]", "field centers_noise_sd[0][1]"},
        {"[0.5, 0.25]", "null", "field centers_noise_sd[0]"},
        {"[510.5, -3]", "null", "field sizes"},
        {"[41.5, 3.25]", "[null, 3.25]", "field centers[0][0]"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_curve_and_notes(void)
{
    static const change changes[] = {
        {"[0, 0.75, -0.5]", "[0]", "field k_curve"},
        {"[0, 0.75, -0.5]", "[0, null]", "field k_curve[1]"},
        {"[0, 0.75, -0.5]", "{}", "field k_curve"},
        {"[0, 0.75, -0.5]", "null", "field k_curve"},
        {"[0, 0.75, -0.5]", "[0, \"1\"]", "field k_curve[1]"},
        {"[0, 0.75, -0.5]", "[[0], 1]", "field k_curve[0]"},
        {"\"center 2 is mostly noise\"", "3", "field notes[0]"},
        {"\"center 2 is mostly noise\"", "\"\"", "field notes[0]"},
        {"\"center 2 is mostly noise\"", "\"a\", null", "field notes[1]"},
        {"\"notes\": [", "\"notes\": {}, \"n\": [", "field n"},
        {"\"notes\": [", "\"note\": [", "did you mean notes?"},
        {"\"k_curve\": [0, 0.75, -0.5],", "", "field k_curve"},
        {"\"k_curve\": [0, 0.75, -0.5],", "\"k_curve\": [],", "field k_choice"},
        {"\"format\": 7", "\"format\": 6", "field k_choice"},
        {"\"clear\"", "\"sure\"", "field k_choice.verdict"},
        {"\"clear\"", "\"none\"", "field k_choice.best"},
        {"\"strength\": 0.75, \"needed\"", "\"strength\": null, \"needed\"",
         "field k_choice.strength"},
        {"\"needed\": 0.125", "\"needed\": \"0\"", "field k_choice.needed"},
        {"\"low\": 2", "\"low\": 0", "field k_choice.low"},
        {"\"low\": 2", "\"low\": 3", "field k_choice.best"},
        {"\"high\": 3", "\"high\": 4", "field k_choice.best"},
        {"\"best\": 2", "\"best\": 3", "field k_choice.best"},
        {"\"best\": 2", "\"top\": 2", "field k_choice"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_geometry(void)
{
    static const change changes[] = {
        {"euclidean", "manhattan", "field geometry.distance"},
        {"\"range\"", "\"Range\"", "field geometry.scale"},
        {"\"box\"", "\"cube\"", "field geometry.domain"},
        {"\"box\"", "\"ball\"", "field geometry.lower"},
        {"\"lower\": [0, 0],", "\"lower\": [0, 0], \"radius\": 1,", "field geometry.radius"},
        {"\"lower\": [0, 0],", "\"lower\": [0],", "field geometry.lower"},
        {"\"lower\": [0, 0],", "\"lower\": [0, 60],", "field geometry.upper[1]"},
        {"[120, 60]", "[120, -60]", "field geometry.upper[1]"},
        {"[120, 60]", "[120, \"60\"]", "field geometry.upper[1]"},
        {"\"declared\"", "\"\"", "field geometry.bounds_origin"},
        {"\"drop-row\"", "\"mean\"", "field geometry.missing"},
        {"\"missing\": \"drop-row\"", "\"missing\": []", "field geometry.missing"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_card(void)
{
    static const change changes[] = {
        {"\"private\": true", "\"private\": false", "field privacy.why_not_private"},
        {"\"private\": true", "\"private\": 1", "field privacy.private"},
        {"\"private\": true,", "\"private\": true, \"why_not_private\": \"x\",",
         "field privacy.why_not_private"},
        {"\"private\": true,", "\"private\": false, \"why_not_private\": \"x\",",
         "field privacy.private"},
        {"ChaCha20 keyed by the operating system", "insecure test seed", "field privacy.private"},
        {"ChaCha20 keyed by the operating system", "dice", "field privacy.randomness"},
        {"\"(1, 1e-06)-differential privacy for one row\"", "\"\"", "field privacy.guarantee"},
        {"\"row\"", "7", "field privacy.unit"},
        {"\"rows_per_unit\": 1", "\"rows_per_unit\": 0", "field privacy.rows_per_unit"},
        {"\"add-remove\"", "\"add\"", "field privacy.neighbors"},
        {"\"epsilon\": 1", "\"epsilon\": 0", "field privacy.epsilon"},
        {"\"epsilon\": 1", "\"epsilon\": -1", "field privacy.epsilon"},
        {"\"epsilon\": 1", "\"epsilon\": null", "field privacy.epsilon"},
        {"\"delta\": 1e-06", "\"delta\": 1", "field privacy.delta"},
        {"\"delta\": 1e-06", "\"delta\": -1e-06", "field privacy.delta"},
        {"\"delta\": 1e-06", "\"delta\": 0", "field privacy.accountant"},
        {"\"gaussian\"", "\"magic\"", "field privacy.accountant"},
        {"\"gaussian\"", "\"pure\"", "field privacy.native.parameter"},
        {"\"mu^2\"", "\"epsilon\"", "field privacy.native.parameter"},
        {"\"budget\": 0.0625", "\"budget\": 0", "field privacy.native.budget"},
        {"\"spent\": 0.0625", "\"spent\": 0.0626", "field privacy.native.spent"},
        {"\"spent\": 0.0625", "\"spent\": -1", "field privacy.native.spent"},
        {"\"spent\": 0.0625", "\"spent\": 0, \"left\": 0", "field privacy.native.left"},
        {"\"kind\": \"sums\"", "\"kind\": 3", "field privacy.queries[1].kind"},
        {"\"what\": \"Lloyd round 1\", ", "", "field privacy.queries[1].what"},
        {"\"scale\": 8388608", "\"scale\": 0", "field privacy.queries[0].scale"},
        {"\"cost\": 0.03125, \"answers\": 6", "\"cost\": -1, \"answers\": 6",
         "field privacy.queries[1].cost"},
        {"\"sensitivity\": 46340.25", "\"sensitivity\": -1",
         "field privacy.queries[1].sensitivity"},
        {"\"answers\": 6", "\"answers\": 6.5", "field privacy.queries[1].answers"},
        {"\"answers\": 6}", "\"answers\": 6}, 4", "field privacy.queries[2]"},
        {"\"answers\": 6", "\"answers\": 6, \"exact\": [5]", "field privacy.queries[1].exact"},
        {"\"ledger\": false", "\"ledger\": \"no\"", "field privacy.ledger"},
        {"\"Blum et al. 2005\"", "[]", "field privacy.paper"},
        {"\"0.1.0\"", "\"\"", "field privacy.version"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

/* A card that contradicts itself: the sentence promises more than the numbers, or numbers more than
   was paid for. */
static void test_contradictions(void)
{
    static const change changes[] = {
        {"(1, 1e-06)-differential", "(0.01, 1e-06)-differential",
         "field privacy.guarantee contradicts the card"},
        {"(1, 1e-06)-differential", "(1, 1e-09)-differential",
         "field privacy.guarantee contradicts the card"},
        {"(1, 1e-06)-differential", "1-differential",
         "field privacy.guarantee contradicts the card"},
        {"(1, 1e-06)-differential", "perfect", "field privacy.guarantee contradicts the card"},
        {"(1, 1e-06)-differential", "none: ", "field privacy.guarantee contradicts the card"},
        {"\"epsilon\": 1", "\"epsilon\": 100", "field privacy.guarantee contradicts the card"},
        {"\"delta\": 1e-06", "\"delta\": 0.5", "field privacy.guarantee contradicts the card"},
        {"\"cost\": 0.03125, \"answers\": 6", "\"cost\": 3.125, \"answers\": 6",
         "field privacy.native.spent"},
        {"\"unit\": \"row\"", "\"unit\": \"everybody\"", "field privacy.unit"},
        {"\"unit\": \"row\"", "\"unit\": \"\"", "field privacy.unit"},
        {"\"unit\": \"row\"", "\"unit\": \"person\"", "field privacy.unit"},
        {"\"rows_per_unit\": 1", "\"rows_per_unit\": 5", "field privacy.rows_per_unit"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

/* Things that do not belong. */
static void test_strangers(void)
{
    static const change changes[] = {
        {"\"rounds\": 7,", "\"rounds\": 7, \"labels\": [0, 1],", "field labels"},
        {"\"rounds\": 7,", "\"rounds\": 7, \"\\u001b[31m\": 0,", "(of an unusual name)"},
        {"\"sizes\"", "\"size\"", "did you mean sizes?"},
        {"\"rounds\": 7,", "\"rounds\": 7, \"rounds\": 7,", "twice in one object: rounds;"},
        {"\"unit\": \"row\",", "\"unit\": \"row\", \"unit\": \"row\",",
         "twice in one object: unit;"},
        {"\"private\": true,", "\"private\": true, \"priv\\u0061te\": false,",
         "twice in one object: private;"},
        {"[\"age\", \"stay\"]", "[\"age\", \"age\"]", "field columns[1] is there twice"},
        {"[\"age\", \"stay\"]", "[\"age\", \"\\u0061ge\"]", "field columns[1] is there twice"},
        {"\"age\"", "\"a\\u0000ge\"", "NUL"},
        {"\"age\"", "\"a\xffge\"", "UTF-8"},
        {"\"age\"", "\"\\ud800\"", "line 8"},
        {"\"format\": 7,", "\"format\": 7", "line 4"},
        {"{\n", "[\n", "does not begin with {"},
        {"{\n", "age,stay\n{", "does not begin with {"},
        {"{\n", "\xef\xbb\xbf{", "does not begin with {"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_refusals(void)
{
    test_other_kinds();
    test_shape();
    test_curve_and_notes();
    test_geometry();
    test_card();
    test_contradictions();
    test_strangers();
    CHECK(kinds >= 60, "%zu kinds of bad files", kinds);
}

/* golden with several changes: pairs of old and new, NULL after the last. */
static const char *changed(const char *const *pair)
{
    static char text[8192];
    char before[8192];

    snprintf(text, sizeof text, "%s", golden);
    for (; *pair != NULL; pair += 2) {
        memcpy(before, text, sizeof before);
        const char *at = strstr(before, pair[0]);
        MUST(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - before), before, pair[1],
                 at + strlen(pair[0]));
    }
    return text;
}

/* A release that is not private, with a sentence that says it is; a pure one that was given more
   than it says. */
static void test_pretences(void)
{
#define SEEDED                                                                                     \
    "\"private\": true,", "\"private\": false, \"why_not_private\": \"nothing to see here\",",     \
        "ChaCha20 keyed by the operating system", "insecure test seed"
#define PURE                                                                                       \
    "(1, 1e-06)-differential", "1-differential", "\"delta\": 1e-06", "\"delta\": 0", "gaussian\"", \
        "pure\"", "mu^2", "epsilon"
    const char *const promises[] = {SEEDED, NULL};
    const char *const honest[] = {SEEDED, "(1, 1e-06)-differential", "none: no", NULL};
    const char *const pure[] = {PURE, NULL}, *const paid[] = {PURE, "\"budget\": 0.0625",
                                                              "\"budget\": 1.5", NULL};
    const char *text = changed(promises);
    tacit_model *model = NULL;

    CHECK(read_text(text, strlen(text), &model) == TACIT_E_FORMAT &&
              says("field privacy.guarantee") && says("\"none: \""),
          "a release with a test seed that promises privacy is refused");
    text = changed(honest);
    CHECK(read_text(text, strlen(text), &model) == TACIT_OK && !tacit_model_is_private(model) &&
              strstr(tacit_model_why_not_private(model), "test seed") != NULL,
          "one that promises none is read, and the reason is the card's, not the maker's words");
    tacit_model_free(model);
    model = NULL;
    text = changed(pure);
    CHECK(read_text(text, strlen(text), &model) == TACIT_OK && tacit_model_is_private(model),
          "a pure card is read");
    tacit_model_free(model);
    model = NULL;
    text = changed(paid);
    CHECK(read_text(text, strlen(text), &model) == TACIT_E_FORMAT && says("field "
                                                                          "privacy.native.budget"),
          "a pure card with a budget above its epsilon is refused");
}

/* Sentences hold names from the file, for a terminal. */
static void test_sentences(void)
{
    static const char hostile[] = "\"\\u001b[2J\\n\\u009b\\u202eage%s%n\"";
    /* among the columns, and where it sets a cluster apart */
    const char *const names[] = {"\"age\"", hostile, "\"age\"", hostile, NULL};
    const char *text = changed(names), *columns[] = {"a", "b"};
    double value[] = {1, 2};
    tacit_model *model = NULL;
    tacit_data *data = NULL;
    int32_t *labels = NULL;
    int64_t rows = 0;

    MUST(read_text(text, strlen(text), &model) == TACIT_OK);
    CHECK(strcmp(tacit_model_column_get(model, 0), "\x1b[2J\n\xc2\x9b\xe2\x80\xae"
                                                   "age%s%n") == 0,
          "names are read as they stand");
    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, 1, 2, &data) == TACIT_OK &&
         tacit_data_set_columns(ctx, data, columns) == TACIT_OK);
    CHECK(tacit_model_predict(ctx, model, data, &labels, &rows) == TACIT_E_ARGUMENT &&
              says("a column '?[2J???age%s%n' that"),
          "and shown in plain text: %s", tacit_ctx_message(ctx));
    tacit_free(labels);
    tacit_data_free(data);
    tacit_model_free(model);
}

/* Files that would fill the memory: refused for their length alone. */
static void test_long_files(void)
{
    char *blank = malloc(1 << 20);
    tacit_model *model = NULL;
    struct rlimit before, less;

    MUST(blank != NULL && getrlimit(RLIMIT_AS, &before) == 0);
    memset(blank, ' ', 1 << 20);
    blank[(1 << 20) - 1] = '{';
    CHECK(read_text(blank, 1 << 20, &model) == TACIT_E_FORMAT && says("does not begin with {"),
          "a megabyte of blanks");
    free(blank);
    put_file(in_folder("model.json"), "{", 1);
    if (truncate(in_folder("model.json"), INT64_C(5) << 30) != 0) {
        printf("# no room for a hole of 5 GiB: not tried\n");
        return;
    }
    less = before; /* a reader that fails to look at the length must not take the machine along */
    less.rlim_cur = 1 << 30;
    if (!SANITIZED) MUST(setrlimit(RLIMIT_AS, &less) == 0);
    const tacit_status status = tacit_model_read(ctx, in_folder("model.json"), &model);
    MUST(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(status == TACIT_E_FORMAT && model == NULL && says("is longer than 4 GiB"),
          "a file of 5 GiB is refused for its length: %s", tacit_ctx_message(ctx));
}

/* Each field renamed in turn: as good as missing, and unknown. Each value made a list of lists: of
   a wrong type. Both are refused, naming a field. */
static void test_every_field(void)
{
    char text[8192];
    int fields = 0;
    bool renamed = true, retyped = true;

    for (const char *at = golden; (at = strstr(at, "\": ")) != NULL; at++) {
        tacit_model *model = NULL;
        snprintf(text, sizeof text, "%.*s_x%s", (int)(at - golden), golden, at);
        if (read_text(text, strlen(text), &model) != TACIT_E_FORMAT || !says("field ")) {
            printf("# renamed: %.40s\n", at - 10);
            renamed = false;
        }
        tacit_model_free(model);
        model = NULL;
        if (at[3] != '{' && at[3] != '[') { /* wrap a scalar */
            const size_t length =
                at[3] == '"' ? (size_t)(strchr(at + 4, '"') - at) - 2 : strcspn(at + 3, ",}\n");
            snprintf(text, sizeof text, "%.*s[[%.*s]]%s", (int)(at + 3 - golden), golden,
                     (int)length, at + 3, at + 3 + length);
            if (read_text(text, strlen(text), &model) != TACIT_E_FORMAT || !says("field ")) {
                printf("# retyped: %.40s\n", at - 10);
                retyped = false;
            }
            tacit_model_free(model);
        }
        fields++;
    }
    CHECK(fields == 75, "%d fields in the small model", fields);
    CHECK(renamed, "each field renamed: refused by name");
    CHECK(retyped, "each value of another type: refused by name");
    const char *promises = strstr(golden, ",\n    \"promises\"");
    tacit_model *model = NULL;
    MUST(promises != NULL);
    snprintf(text, sizeof text, "%.*s%s", (int)(promises - golden), golden,
             strchr(promises + 2, '\n'));
    CHECK(read_text(text, strlen(text), &model) == TACIT_OK, "an older release, which does not "
                                                             "say what is promised, is read");
    tacit_model_free(model);
}

static void test_damage(void)
{
    const size_t length = strlen(golden);
    bool refused = true, steady = true;
    uint64_t state = 7;
    char text[8192];

    /* without its last newline the file is still whole */
    for (size_t cut = 0; cut + 1 < length; cut++) {
        tacit_model *model = NULL;
        if (read_text(golden, cut, &model) != TACIT_E_FORMAT || model != NULL ||
            !says("model.json")) {
            printf("# cut at %zu: %s\n", cut, tacit_ctx_message(ctx));
            refused = false;
        }
        tacit_model_free(model);
    }
    CHECK(refused, "cut off at each of %zu bytes: refused", length - 1);

    /* Random damage: refused, or a model that is written and read again unchanged. */
    for (long i = 0; i < tap_times(4000); i++) {
        tacit_model *model = NULL;
        char *first = NULL, *second = NULL;
        memcpy(text, golden, length + 1);
        for (uint64_t hits = 1 + mix(&state) % 3; hits > 0; hits--) {
            static const char likely[] = "0123456789-+.eE\"[]{},: \n\\u";
            const uint64_t random = mix(&state);
            const char byte =
                random & 1024 ? (char)(random >> 40) : likely[(random >> 40) % (sizeof likely - 1)];
            text[random % length] = byte;
        }
        const tacit_status status = read_text(text, length, &model);
        if (status != TACIT_OK) {
            steady = steady && status == TACIT_E_FORMAT && model == NULL &&
                     tacit_ctx_message(ctx)[0] != '\0';
            continue;
        }
        steady = steady && tacit_model_json(ctx, model, &first) == TACIT_OK &&
                 (second = rewritten(first)) != NULL && strcmp(first, second) == 0;
        tacit_free(first);
        tacit_free(second);
        tacit_model_free(model);
    }
    CHECK(steady, "random damage: refused, or read and written steadily");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    test_refusals();
    test_pretences();
    test_sentences();
    test_long_files();
    test_every_field();
    test_damage();
    leave_folder();
    tacit_ctx_free(ctx);
    return tap_done();
}
