{{- define "gatehouse.name" -}}
{{- if contains "gatehouse" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-gatehouse" (.Release.Name | trunc 30 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "gatehouse.image" -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}{{ else }}{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}{{ end }}
{{- end }}

{{- define "gatehouse.host" -}}
{{- (urlParse .Values.config.publicUrl).host | splitList ":" | first }}
{{- end }}

{{- /* The path below which Gatehouse is served; empty if config.publicUrl has none. */}}
{{- define "gatehouse.path" -}}
{{- (urlParse .Values.config.publicUrl).path | trimSuffix "/" }}
{{- end }}

{{- /* ClusterRoles are not in a namespace: their names say which installation they belong to. */}}
{{- define "gatehouse.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "gatehouse.name" .) }}
{{- end }}

{{- define "gatehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "gatehouse.image.fields" -}}
image: {{ include "gatehouse.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- include "gatehouse.containerSecurity" . | nindent 2 }}
{{- end }}

{{- define "gatehouse.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gatehouse.postgresName" -}}
{{- default (printf "%s-db" (include "gatehouse.name" .)) .Values.postgres.cloudnativepg.name }}
{{- end }}

{{- /* Takes [context, variable, key of the Secret with database URLs]. */}}
{{- define "gatehouse.databaseVariable" -}}
{{- $context := index . 0 }}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef: { name: {{ $context.Values.database.secretName | quote }}, key: {{ index . 2 | quote }} }
{{- end }}

{{- /* Takes [context, variable, process (web, recorder), service (rw, ro)]: a URL made of the Secret of the role. */}}
{{- define "gatehouse.postgresVariable" -}}
{{- $context := index . 0 }}
{{- $process := index . 2 }}
- name: {{ index . 1 }}
  value: {{ printf "postgresql://gatehouse_%s:$(GATEHOUSE_DATABASE_PASSWORD)@%s-%s:5432/gatehouse%s" $process (include "gatehouse.postgresName" $context) (index . 3) (empty $context.Values.postgres.cloudnativepg.urlParameters | ternary "" (printf "?%s" $context.Values.postgres.cloudnativepg.urlParameters)) | quote }}
{{- end }}

{{- /* Takes [context, process (web, recorder)]: the database variables of a process. */}}
{{- define "gatehouse.databaseVariables" -}}
{{- $context := index . 0 }}
{{- $process := index . 1 }}
{{- $postgres := $context.Values.postgres.cloudnativepg }}
{{- $keys := $context.Values.database.keys }}
{{- if $postgres.enabled }}
- name: GATEHOUSE_DATABASE_PASSWORD
  valueFrom:
    secretKeyRef: { name: {{ get $postgres.roleSecrets $process | quote }}, key: password }
{{- include "gatehouse.postgresVariable" (list $context "DATABASE_URL" $process "rw") }}
{{- if and (eq $process "web") $postgres.readReplica (gt (int $postgres.instances) 1) }}
{{- include "gatehouse.postgresVariable" (list $context "DATABASE_READ_URL" $process "ro") }}
{{- end }}
{{- else }}
{{- include "gatehouse.databaseVariable" (list $context "DATABASE_URL" (get $keys $process)) }}
{{- with get $keys (printf "%sDirect" $process) }}
{{- include "gatehouse.databaseVariable" (list $context "DATABASE_DIRECT_URL" .) }}
{{- end }}
{{- if eq $process "web" }}
{{- with $keys.webRead }}
{{- include "gatehouse.databaseVariable" (list $context "DATABASE_READ_URL" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The config, and what it takes to read it whole. */}}
{{- define "gatehouse.webSecrets" -}}
{{- include "gatehouse.checkConfig" . }}
- { name: GATEHOUSE_CONFIG, value: /etc/gatehouse/config/gatehouse.yaml }
- name: GATEHOUSE_SECRET
  valueFrom:
    secretKeyRef: { name: {{ .Values.secrets.name | quote }}, key: {{ .Values.secrets.keys.session | quote }} }
{{- $place := default "" .Values.config.auth.oidc.clientSecret }}
{{- if hasPrefix "env:" $place }}
- name: {{ trimPrefix "env:" $place }}
  valueFrom:
    secretKeyRef: { name: {{ $.Values.secrets.name | quote }}, key: {{ $.Values.secrets.keys.oidc | quote }} }
{{- end }}
{{- end }}

{{- /* Takes [context, values of the process]. */}}
{{- define "gatehouse.placement" -}}
{{- $values := index . 1 }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Takes [context, component, values of the process]: replicas on different nodes, if there are enough. */}}
{{- define "gatehouse.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gatehouse.selector" (index . 0) | nindent 8 }}
        app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "gatehouse.volumes" -}}
- name: config
  configMap: { name: {{ include "gatehouse.name" . }} }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- /* The folder, not the file: a changed ConfigMap appears in it, and both processes load it without a restart. */}}
{{- define "gatehouse.volumeMounts" -}}
- { name: config, mountPath: /etc/gatehouse/config, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "gatehouse.checkConfig" -}}
{{- if not .Values.config.publicUrl }}{{ fail "config.publicUrl is missing: the address that browsers use" }}{{ end }}
{{- if not (dig "auth" "oidc" "issuer" "" .Values.config) }}{{ fail "config.auth.oidc.issuer is missing: the identity provider" }}{{ end }}
{{- if not .Values.config.clusters }}{{ fail "config.clusters is missing: at least one cluster, for example [{name: this, inCluster: true}]" }}{{ end }}
{{- end }}

{{- /* Only an API server of this cluster takes the token of a pod's account: inCluster, or its file by name. */}}
{{- define "gatehouse.needsToken" -}}
{{- $needs := false }}
{{- range .Values.config.clusters }}
{{- if or .inCluster (hasPrefix "/var/run/secrets/kubernetes.io/" (default "" .tokenFile)) }}{{ $needs = true }}{{ end }}
{{- end }}
{{- $needs }}
{{- end }}

{{- /* The TCP ports to which the config leads; one a line. Of URLs in Secrets and kubeconfigs only the usual ports. */}}
{{- define "gatehouse.egressPorts" -}}
{{- $ports := list 443 6443 8443 5432 }}
{{- $urls := list .Values.config.publicUrl (dig "auth" "oidc" "issuer" "" .Values.config) }}
{{- range .Values.config.clusters }}
{{- $urls = append $urls .server }}
{{- with .controllers }}
{{- with .prometheus }}{{ $urls = append $urls .url }}{{ end }}
{{- range .endpoints }}{{ $urls = append $urls .url }}{{ end }}
{{- end }}
{{- end }}
{{- range dig "notifications" "channels" list .Values.config }}
{{- $urls = concat $urls (list .url .apiUrl) }}
{{- if eq .type "email" }}{{ $ports = append $ports (int (default 587 .port)) }}{{ end }}
{{- end }}
{{- range dig "auditStreams" list .Values.config }}
{{- if eq .type "syslog" }}{{ $ports = append $ports (int (default 6514 .port)) }}{{ else }}{{ $urls = append $urls .url }}{{ end }}
{{- end }}
{{- range dig "notifications" "allow" list .Values.config }}
{{- if hasPrefix "smtp:" . }}{{ $ports = append $ports (int (default "587" (trimPrefix ":" (regexFind ":[0-9]+$" .)))) }}
{{- else if hasPrefix "http" . }}{{ $urls = append $urls . }}{{ end }}
{{- end }}
{{- range compact $urls }}
{{- $url := urlParse . }}
{{- $ports = append $ports (int (default (eq $url.scheme "http" | ternary "80" "443") (trimPrefix ":" (regexFind ":[0-9]+$" $url.host)))) }}
{{- end }}
{{- range .Values.networkPolicy.egressPorts }}{{ $ports = append $ports (int .) }}{{ end }}
{{- $ports | uniq | sortAlpha | join "\n" }}
{{- end }}
