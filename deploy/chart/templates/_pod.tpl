{{- define "bursar.labels" -}}
app.kubernetes.io/name: bursar
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What the gateways and the migration have in common. */}}
{{- define "bursar.pod" -}}
automountServiceAccountToken: false
# A Service of ours would otherwise add variables that look like settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end }}

{{- define "bursar.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  {{- range .Values.secrets }}
  - secretRef: { name: {{ . }} }
  {{- end }}
env:
  - name: DATABASE_URL
    valueFrom: { secretKeyRef: { name: {{ .Values.database.secret }}, key: {{ .Values.database.key }} } }
  - name: BURSAR_COMMAND
    value: kubectl exec --namespace {{ .Release.Namespace }} deploy/{{ .Release.Name }} -- bursar
  - name: BURSAR_PUBLIC_URL
    value: {{ required "Set publicUrl, such as https://ai.example.com." .Values.publicUrl | quote }}
  - name: BURSAR_S3_BUCKET
    value: {{ required "Set bucket: pods keep no files." .Values.bucket | quote }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}
